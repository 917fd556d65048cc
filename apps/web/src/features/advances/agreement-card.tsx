/** The agreement as accepted: when, by whom, its hash and, on demand, its text. */
import { AGREEMENT_FILE_PATH } from '@portal/contract/documents.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { useState } from 'react';
import { AgreementText } from '../../components/advances/agreement-text.tsx';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './agreement-card.module.css';
import type { AdvancePartProps } from './advance-part.ts';

export function AgreementCard({ advance, companyId, acceptedAt }: AdvancePartProps & { acceptedAt: Instant }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <SectionCard
      title="Your agreement"
      aside={
        <DownloadButton
          path={AGREEMENT_FILE_PATH}
          query={{ company_id: companyId, advance_id: advance.advance_id }}
          label="Download PDF"
          name={`Download PDF of the agreement for ${periodText(advance.period_start, advance.period_end)}`}
        />
      }
    >
      <Stack gap={8} align="start">
        <Text>
          Accepted on <InstantText at={acceptedAt} />
          {advance.agreement.accepted_by && ` by ${advance.agreement.accepted_by}`}.
        </Text>
        <Button variant="text" size="small" fit="flush" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the agreement' : 'Read the agreement'}
        </Button>
        {isOpen && (
          <>
            <AgreementText text={advance.agreement.text} />
            <Text size="small" tone="quiet" className={styles.hash}>
              Version {advance.agreement.version}. Fingerprint (SHA-256): {advance.agreement.hash}
            </Text>
          </>
        )}
      </Stack>
    </SectionCard>
  );
}

/** The agreement as accepted: when, by whom, its hash and, on demand, its text. */
import type { Instant } from '@portal/domain/clock.ts';
import { useState } from 'react';
import { AgreementText } from '../../components/advances/agreement-text.tsx';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './agreement-card.module.css';
import type { AdvancePartProps } from './advance-part.ts';

export function AgreementCard({ advance, acceptedAt }: AdvancePartProps & { acceptedAt: Instant }) {
  const [open, setOpen] = useState(false);
  return (
    <SectionCard title="Your agreement">
      <Stack gap={8} align="start">
        <Text>
          Accepted on <InstantText at={acceptedAt} />
          {advance.agreement.accepted_by && ` by ${advance.agreement.accepted_by}`}.
        </Text>
        <Button variant="text" size="small" fit="flush" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the agreement' : 'Read the agreement'}
        </Button>
        {open && (
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

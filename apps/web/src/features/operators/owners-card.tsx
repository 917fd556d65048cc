/**
 * Shows who owns the company, whether they are verified, and who runs it according to Companies House. An operator can verify someone
 * manually.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { toPersonName } from '@portal/domain/uk-tax/references/person-name.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ReasonField } from './reason-field.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

type Owner = EndpointOutput<typeof identityCheckApi.listOwners>['owners'][number];

const STATUS_TEXTS: Readonly<Record<Owner['status'], string>> = {
  not_started: 'not verified yet',
  pending: 'check not finished',
  passed: 'verified',
  failed: 'could not be verified',
  expired: 'check expired',
  needs_review: 'under review at the provider',
};

const MIN_EVIDENCE_LENGTH = 10;

export function OwnersCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(identityCheckApi.listOwners, { company_id: companyId }));
  return (
    <SectionCard title="Owners and officers">
      <LoadState query={query}>
        {({ owners, company_people: people }) => (
          <Stack>
            {owners.map((owner) => (
              <OwnerPart key={owner.user_id} owner={owner} companyId={companyId} />
            ))}
            <Text size="small" tone="quiet" measure>
              {people === null
                ? 'We couldn’t read the company’s officers and owners from Companies House.'
                : people.length === 0
                  ? 'Companies House lists no officers or persons with significant control.'
                  : `Companies House lists ${listNames(people)}.`}
            </Text>
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

/** Many people are both an officer and a person with significant control. */
function listNames(people: readonly string[]): string {
  return [...new Set(people.map(toPersonName))].join('; ');
}

function OwnerPart({ owner, companyId }: { owner: Owner; companyId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Stack gap={8} align="start">
      <Text>
        {owner.full_name}: {STATUS_TEXTS[owner.status]}
        {owner.verified_by !== null && ` by ${owner.verified_by}`}
      </Text>
      {owner.evidence !== null && (
        <Text size="small" tone="quiet" measure>
          {owner.evidence}
        </Text>
      )}
      {owner.status !== 'passed' && !isOpen && (
        <Button variant="text" size="small" fit="flush" onClick={() => setIsOpen(true)}>
          Verify manually
        </Button>
      )}
      {owner.status !== 'passed' && isOpen && <VerifyForm owner={owner} companyId={companyId} />}
    </Stack>
  );
}

function VerifyForm({ owner, companyId }: { owner: Owner; companyId: string }) {
  const queryClient = useQueryClient();
  const [fullName, setFullName] = useState(owner.full_name);
  const [evidence, setEvidence] = useState('');
  const verify = useMutation({
    mutationFn: () =>
      apiRequest(identityCheckApi.verifyByHand, { company_id: companyId, user_id: owner.user_id, full_name: fullName, evidence }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [identityCheckApi.listOwners.path] }),
        queryClient.invalidateQueries({ queryKey: [operatorsApi.advance.path] }),
      ]),
  });
  const evidenceError = evidence.trim().length < MIN_EVIDENCE_LENGTH ? 'Describe the evidence you saw and where it’s stored.' : undefined;
  return (
    <Stack>
      <FieldFrame id={`name-${owner.user_id}`} label="Name on the document">
        <TextInput id={`name-${owner.user_id}`} value={fullName} maxLength={200} onChange={(event) => setFullName(event.target.value)} />
      </FieldFrame>
      <ReasonField
        id={`evidence-${owner.user_id}`}
        label="Evidence"
        hint="Which documents you saw, how, and where the copies are stored. Saved with your name."
        value={evidence}
        onChange={setEvidence}
        error={evidenceError}
      />
      {verify.error && (
        <Notice tone="error" title="This wasn’t saved" role="alert">
          {getErrorText(verify.error)}
        </Notice>
      )}
      <ButtonRow>
        <SubmitButton
          missing={getMissingText([fullName.trim() === '' ? 'Enter the name on the document.' : undefined, evidenceError])}
          isBusy={verify.isPending}
          onClick={() => verify.mutate()}
        >
          Record as verified
        </SubmitButton>
      </ButtonRow>
    </Stack>
  );
}

/** The company's people. An operator can view the portal as any of them. */
import { viewingApi } from '@portal/contract/viewing.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';

type CompanyPerson = OperatorPartProps['data']['people'][number];

export function CompanyPeopleCard({ people }: { people: readonly CompanyPerson[] }) {
  const [chosenPerson, setChosen] = useState<CompanyPerson>();
  return (
    <SectionCard title="People">
      <Stack as="ul" gap={12}>
        {people.map((person) => (
          <Row as="li" key={person.user_id} justify="between">
            <div>
              <Text weight="medium">{person.full_name}</Text>
              <Text size="small" tone="quiet">
                {person.email}
              </Text>
            </div>
            <Button variant="text" size="small" onClick={() => setChosen(person)}>
              View as<HiddenText> {person.full_name}</HiddenText>
            </Button>
          </Row>
        ))}
      </Stack>
      {chosenPerson !== undefined && (
        <StartViewingDialog key={chosenPerson.user_id} person={chosenPerson} onClose={() => setChosen(undefined)} />
      )}
    </SectionCard>
  );
}

function StartViewingDialog({ person, onClose }: { person: CompanyPerson; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const viewMutation = useMutation({
    mutationFn: () => apiRequest(viewingApi.start, { user_id: person.user_id, reason }),
    // Load a new document, so that no operator-only data stays in memory.
    onSuccess: ({ home_path }) => location.assign(`${PORTAL_BASE}${home_path}`),
  });
  return (
    <ConfirmDialog
      heading={`View as ${person.full_name}?`}
      mutation={viewMutation}
      onConfirm={() => viewMutation.mutate()}
      onClose={onClose}
      confirmLabel="View for 30 minutes"
      missing={getReasonError(reason)}
      errorTitle="You can’t view as this person"
    >
      <Text>You’ll see the portal as they do, and can’t change anything. The operator pages will be available again when you stop.</Text>
      <ReasonField id="look-reason" value={reason} onChange={setReason} hint="Saved in the company’s audit trail with your name." />
    </ConfirmDialog>
  );
}

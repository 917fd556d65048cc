import { booksConnectionApi, type BooksConnection } from '@portal/contract/books-connection.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { useDecision } from './use-decision.ts';

type ChooseOrganisationProps = { companyId: string; connection: BooksConnection; onDone: () => void };

/** An authorisation can cover several organisations, but only one organisation's books are read. */
export function ChooseOrganisation({ companyId, connection, onDone }: ChooseOrganisationProps) {
  const [chosenId, setChosen] = useState(connection.organisation_id);
  const choose = useDecision({ company_id: companyId }, (organisation_id: string) =>
    apiRequest(booksConnectionApi.choose, { company_id: companyId, organisation_id }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosenId !== null) choose.mutate(chosenId, { onSuccess: onDone });
      }}
    >
      <Stack gap={16}>
        <Stack gap={8} role="radiogroup" aria-labelledby="choose-organisation">
          <Heading level={3} size="part" id="choose-organisation">
            Which organisation do these books belong to?
          </Heading>
          <Text tone="quiet">Choose the one with your company’s VAT number. We’ll only read the organisation you choose.</Text>
          {connection.organisations.map(({ organisation_id: id, name }) => (
            <Radio key={id} name="organisation" label={name} checked={chosenId === id} onChange={() => setChosen(id)} />
          ))}
        </Stack>
        {choose.error !== null && <Notice tone="error" title={getErrorText(choose.error)} role="alert" />}
        <ButtonRow>
          <SubmitButton isBusy={choose.isPending} missing={chosenId === null ? 'Choose an organisation.' : undefined}>
            Read these books
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

import type { BooksConnection } from '@portal/contract/books-connection.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { getConnectionApi, type BooksTarget } from './books-api.ts';
import { useDecision } from './use-decision.ts';

type BasisQuestionProps = { target: BooksTarget; problem: NonNullable<BooksConnection['problem']> };

/** Asked once, if the bookkeeping software doesn't state the basis. */
export function BasisQuestion({ target, problem }: BasisQuestionProps) {
  const [basis, setBasis] = useState<VatBasis>();
  const answerMutation = useDecision(target, (basis: VatBasis) => apiRequest(getConnectionApi(target).answerBasis, { ...target, basis }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (basis !== undefined) answerMutation.mutate(basis);
      }}
    >
      <Stack gap={16}>
        <Stack gap={8} role="radiogroup" aria-labelledby="basis-question">
          <Heading level={3} size="part" id="basis-question">
            {problem.title}
          </Heading>
          <Text tone="quiet">{problem.text}</Text>
          <Radio
            name="basis"
            label="Invoice accounting"
            hint="VAT is accounted for on the date of each invoice. This is the usual scheme."
            checked={basis === 'accrual'}
            onChange={() => setBasis('accrual')}
          />
          <Radio
            name="basis"
            label="Cash accounting"
            hint="VAT is accounted for when customers pay you and when you pay suppliers."
            checked={basis === 'cash'}
            onChange={() => setBasis('cash')}
          />
        </Stack>
        {answerMutation.error !== null && <Notice tone="error" title={getErrorText(answerMutation.error)} role="alert" />}
        <ButtonRow>
          <SubmitButton isBusy={answerMutation.isPending} missing={basis === undefined ? 'Choose how VAT is accounted for.' : undefined}>
            Save and work out the figures
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

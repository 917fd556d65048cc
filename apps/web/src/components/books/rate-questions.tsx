import type { BooksConnection } from '@portal/contract/books-connection.ts';
import { BOOKS_KINDS, TREATMENTS, type BooksKind, type Treatment } from '@portal/domain/books/books-row.ts';
import { canBeZeroRated, isAnswerPossible } from '@portal/domain/connected-books/rate-answers.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { getConnectionApi, type BooksTarget } from './books-api.ts';
import { TREATMENT_NAMES } from './treatment-names.ts';
import { useDecision } from './use-decision.ts';

type RateQuestionsProps = {
  target: BooksTarget;
  problem: NonNullable<BooksConnection['problem']>;
  questions: BooksConnection['questions'];
  program: BooksConnection['program'];
};

type Meaning = { readonly kind: BooksKind; readonly treatment: Treatment; readonly zero_rated: boolean };

/** The possible meanings of a rate: a treatment of sales or of purchases. */
const MEANINGS: readonly Meaning[] = BOOKS_KINDS.flatMap((kind) =>
  TREATMENTS.filter((treatment) => findBoxRule(kind, treatment)).flatMap((treatment) =>
    [false, ...(canBeZeroRated(kind, treatment) ? [true] : [])].map((isZeroRated) => ({ kind, treatment, zero_rated: isZeroRated })),
  ),
);
const KIND_NAMES: Readonly<Record<BooksKind, string>> = { sale: 'Sales', purchase: 'Purchases' };

/** Xero states 0% for reverse charges of either kind, so the two have different names. */
function describeMeaning({ kind, treatment, zero_rated: isZeroRated }: Meaning, program: BooksConnection['program']): string {
  const name = TREATMENT_NAMES[treatment].replace(/^(?!NI\b)./, (letter) => letter.toLowerCase());
  if (isZeroRated) return `${name}, zero-rated`;
  return program === 'xero' && canBeZeroRated(kind, treatment) ? `${name}, with VAT` : name;
}

/** Asks once about each rate that we can't map with certainty. */
export function RateQuestions({ target, problem, questions, program }: RateQuestionsProps) {
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const save = useDecision(target, (input: readonly (Meaning & { readonly code: string })[]) =>
    apiRequest(getConnectionApi(target).answerRates, { ...target, answers: [...input] }),
  );
  const chosenAnswers = questions.flatMap(({ code }) => {
    const meaning = MEANINGS[Number(answers[code] || Number.NaN)];
    return meaning ? [{ code, ...meaning }] : [];
  });
  const unansweredQuestion = questions.find(({ code }) => !answers[code]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (chosenAnswers.length === questions.length) save.mutate(chosenAnswers);
      }}
    >
      <Stack gap={16}>
        <Stack gap={4}>
          <Heading level={3} size="part">
            {problem.title}
          </Heading>
          <Text tone="quiet">{problem.text}</Text>
        </Stack>
        {questions.map(({ code, name, documents, example }) => {
          const hint = `On ${documents.toLocaleString('en-GB')} ${documents === 1 ? 'document' : 'documents'}${example === '' ? '' : `, such as ${example}`}`;
          return (
            <FieldFrame key={code} id={`rate-${code}`} label={name} hint={hint}>
              <Select
                id={`rate-${code}`}
                aria-describedby={`rate-${code}-hint`}
                value={answers[code] ?? ''}
                onChange={({ target }) => setAnswers({ ...answers, [code]: target.value })}
              >
                <option value="">Choose what it is</option>
                {BOOKS_KINDS.filter((kind) => isAnswerPossible(code, kind)).map((kind) => (
                  <optgroup key={kind} label={KIND_NAMES[kind]}>
                    {MEANINGS.map((meaning, index) =>
                      meaning.kind === kind && (program === 'xero' || !meaning.zero_rated) ? (
                        <option key={`${meaning.treatment} ${meaning.zero_rated}`} value={index}>
                          {KIND_NAMES[kind]}: {describeMeaning(meaning, program)}
                        </option>
                      ) : null,
                    )}
                  </optgroup>
                ))}
              </Select>
            </FieldFrame>
          );
        })}
        {save.error !== null && (
          <Notice tone="error" title="Your answers weren’t saved" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton
            isBusy={save.isPending}
            missing={unansweredQuestion === undefined ? undefined : `Choose what “${unansweredQuestion.name}” is.`}
          >
            Save and work out the figures
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

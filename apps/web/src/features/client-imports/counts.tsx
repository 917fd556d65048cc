/** Sentences with counts of an import's rows. */
import { Fragment } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { type CountSentence, OUTCOME_PARAM } from './import-labels.ts';

/** Each number links to its rows, further down the page. */
export function Counts({ sentences, none }: { sentences: readonly CountSentence[]; none: string }) {
  const [search] = useSearchParams();
  if (sentences.length === 0) return <Text>{none}</Text>;
  return (
    <Text>
      {sentences.map(({ before, count, outcome, rest }, place) => (
        <Fragment key={outcome}>
          {place > 0 && ' '}
          {before}
          <TextLink to={`?${setOutcomeParam(search, outcome)}`} replace preventScrollReset>
            {count}
          </TextLink>
          {rest}
        </Fragment>
      ))}
    </Text>
  );
}

function setOutcomeParam(search: URLSearchParams, outcome: string): string {
  const next = new URLSearchParams(search);
  next.set(OUTCOME_PARAM, outcome);
  return next.toString();
}

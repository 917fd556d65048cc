/** Handles a filing whose response was lost. We query HMRC once automatically and after that on click. The return is never sent twice. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ResultPanel } from '../../ui/result-panel.tsx';
import { getReturnApi, type ReturnTarget } from './return-api.ts';
import { Text } from '../../ui/text.tsx';

type OutcomeUnknownProps = { input: ReturnTarget; isNew: boolean };

export function OutcomeUnknown({ input, isNew }: OutcomeUnknownProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => apiRequest(getReturnApi(input).resolve, input),
    onSuccess: (found) => queryClient.setQueryData(apiQuery(getReturnApi(input).get, input).queryKey, found),
  });
  const hasAskedRef = useRef(false);
  useEffect(() => {
    if (hasAskedRef.current) return;
    hasAskedRef.current = true;
    mutate();
  }, [mutate]);
  return (
    <ResultPanel tone="warning" title="We don’t know yet whether HMRC has this return" isNew={isNew}>
      <Text measure>
        We sent it, but HMRC’s response was lost. Don’t file it anywhere else. We’ll check with HMRC and never file it twice.
      </Text>
      <Text weight="medium" role="status">
        {isPending
          ? 'Checking with HMRC…'
          : error
            ? getErrorText(error)
            : isSuccess
              ? 'HMRC doesn’t show it yet. Check again in a few minutes.'
              : ''}
      </Text>
      <Button onClick={() => mutate()} isBusy={isPending}>
        Check again
      </Button>
    </ResultPanel>
  );
}

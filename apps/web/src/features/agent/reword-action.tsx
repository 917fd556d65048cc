/** On request, sends a draft’s text to the language model and shows the rewording next to the original. The user chooses between them. */
import type { AgentProposal } from '@portal/contract/agent.ts';
import { languageModelApi, type Rewording } from '@portal/contract/language-model.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './agent.module.css';
import { useInvalidateAgent } from './use-agent.ts';

type RewordActionProps = { companyId: string; proposal: AgentProposal; isBusy: boolean; about: ReactNode };

export function RewordAction({ companyId, proposal, isBusy, about }: RewordActionProps) {
  const { proposal_id: id, version } = proposal;
  const invalidate = useInvalidateAgent();
  const reword = useMutation({
    mutationFn: (callId: string) =>
      apiRequest(languageModelApi.reword, { company_id: companyId, call_id: callId, proposal_id: id, version }),
  });
  const choose = useMutation({
    mutationFn: (uses: boolean) =>
      apiRequest(languageModelApi.choose, { company_id: companyId, call_id: reword.data?.call_id ?? '', uses_rewording: uses }),
    onSuccess: async () => {
      reword.reset();
      await invalidate();
    },
  });
  const isOffered = reword.data !== undefined && reword.data.reworded !== null;
  const close = () => {
    if (isOffered && choose.error === null) choose.mutate(false);
    else {
      choose.reset();
      reword.reset();
    }
  };
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => reword.mutate(crypto.randomUUID())} disabled={isBusy || !reword.isIdle}>
        Reword{about}
      </Button>
      {!reword.isIdle && (
        <ModalDialog
          open
          heading={`Reword: ${proposal.title}`}
          onClose={close}
          loading={reword.isPending || choose.isPending}
          actions={
            <>
              <Button variant="outlined" onClick={close} disabled={reword.isPending || choose.isPending}>
                {isOffered ? 'Keep original' : 'Close'}
              </Button>
              {isOffered && (
                <Button onClick={() => choose.mutate(true)} disabled={choose.isPending}>
                  Use rewording
                </Button>
              )}
            </>
          }
        >
          <Stack gap={16}>
            {reword.isPending && (
              <>
                <Text role="status">
                  Waiting for the language model. The figures, dates, names and references found in the text aren’t sent.
                </Text>
                <CardSkeleton lines={6} />
              </>
            )}
            {(reword.error ?? choose.error) !== null && (
              <Notice tone="error" title="The draft is unchanged" role="alert">
                {getErrorText(reword.error ?? choose.error)}
              </Notice>
            )}
            {reword.data !== undefined && <RewordingComparison rewording={reword.data} />}
          </Stack>
        </ModalDialog>
      )}
    </>
  );
}

function RewordingComparison({ rewording: { original, reworded, problems, model } }: { rewording: Rewording }) {
  if (reworded === null) {
    return (
      <Notice tone="warning" title="The rewording was discarded, and the draft is unchanged" role="alert">
        <ul className={styles.reasons}>
          {problems.map(({ problem, text, words }) => (
            <li key={problem}>
              {text}
              {words.length > 0 && ` ${words.map((word) => `“${word}”`).join(', ')}`}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  return (
    <>
      <div className={styles.comparison}>
        {[
          ['Original', original],
          ['Reworded', reworded],
        ].map(([name, text]) => (
          <section key={name} aria-label={name} className={styles.wording}>
            <Heading level={3} size="part">
              {name}
            </Heading>
            <p>{text}</p>
          </section>
        ))}
      </div>
      <Text size="small" tone="quiet">
        By {model}. Every figure, date, name and reference is the same and in the same order, and no unusual words were added. Check that it
        still says what you mean. Nothing is sent until you approve the draft.
      </Text>
    </>
  );
}

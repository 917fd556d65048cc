/** The client's letters of engagement: one to sign, and copies of those already signed. */
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { engagementApi, LETTER_FILE_PATH, type EngagementLetter } from '@portal/contract/engagement.ts';
import { isFullName, SIGNING_STATEMENT } from '@portal/domain/engagement/engagement-letter.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './clients-portal.module.css';

export function Letters({ companyId }: { companyId: string }) {
  const ids = { company_id: companyId, client_id: companyId };
  const query = useQuery(apiQuery(engagementApi.list, ids));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
      {({ letters }) =>
        letters.length === 0 ? null : (
          <SectionCard title={clientText('letter.title')}>
            <Stack as="ul" gap={0}>
              {letters.map((letter) => (
                <li key={letter.letter_id} className={styles.item}>
                  {letter.state === 'unsigned' ? (
                    <LetterToSign companyId={companyId} letter={letter} />
                  ) : (
                    <SignedLetter letter={letter} ids={ids} />
                  )}
                </li>
              ))}
            </Stack>
          </SectionCard>
        )
      }
    </LoadState>
  );
}

function SignedLetter({ letter, ids }: { letter: EngagementLetter; ids: Readonly<Record<string, string>> }) {
  const { letter_id: letterId, signed_at: at, signed_name: name, state } = letter;
  return (
    <Row justify="between" gap={8}>
      <div>
        {at !== null && <Text>{clientText('letter.signed', { name: name ?? '', at: clientInstant(at) })}</Text>}
        {state === 'superseded' && (
          <Text size="small" tone="quiet">
            {clientText('letter.superseded')}
          </Text>
        )}
      </div>
      <DownloadButton
        path={LETTER_FILE_PATH}
        query={{ ...ids, letter_id: letterId }}
        label={clientText('letter.save')}
        name={clientText('letter.save')}
      />
    </Row>
  );
}

function LetterToSign({ companyId, letter }: { companyId: string; letter: EngagementLetter }) {
  const { letter_id: letterId, text, digest, sent_by: letterSender, sent_at: at } = letter;
  const [hasAgreed, setHasAgreed] = useState(false);
  const [name, setName] = useState('');
  const queryClient = useQueryClient();
  const paths: readonly unknown[] = [engagementApi.list.path, clientPortalApi.overview.path];
  const sign = useMutation({
    mutationFn: () => apiRequest(engagementApi.sign, { company_id: companyId, letter_id: letterId, digest, full_name: name, agree: true }),
    onSuccess: () => queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => paths.includes(path) }),
  });
  const missing = !hasAgreed ? clientText('letter.missing_agree') : isFullName(name) ? undefined : clientText('letter.missing_name');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === undefined && !sign.isPending) sign.mutate();
      }}
    >
      <Stack gap={16}>
        <div>
          <Text>{clientText('letter.read')}</Text>
          <Text size="small" tone="quiet">
            {clientText('letter.from', { person: letterSender, at: clientInstant(at) })}
          </Text>
        </div>
        <div tabIndex={0} role="region" aria-label={clientText('letter.text')} className={styles.letter}>
          <Text className={styles.written}>{text}</Text>
        </div>
        <Checkbox label={SIGNING_STATEMENT} checked={hasAgreed} onChange={({ target: { checked } }) => setHasAgreed(checked)} />
        <FieldFrame id={`sign-${letterId}`} label={clientText('letter.name')}>
          <TextInput
            id={`sign-${letterId}`}
            autoComplete="name"
            maxLength={160}
            value={name}
            onChange={({ target: { value } }) => setName(value)}
          />
        </FieldFrame>
        {sign.error !== null && (
          <Notice tone="error" title={clientText('letter.failed')} role="alert">
            {getErrorText(sign.error)}
          </Notice>
        )}
        <Row gap={12}>
          <SubmitButton missing={missing} isBusy={sign.isPending}>
            {clientText(sign.isPending ? 'letter.signing' : 'letter.sign')}
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}

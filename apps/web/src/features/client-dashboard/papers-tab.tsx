/** Everything that the practice and the client send each other: requests, the letter of engagement, messages and files. */
import { clientFilesApi } from '@portal/contract/client-files.ts';
import { clientRequestsApi } from '@portal/contract/client-requests.ts';
import { useQuery } from '@tanstack/react-query';
import { Conversation } from '../../components/client-conversation/conversation.tsx';
import { apiQuery } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { FilesCard } from './files-card.tsx';
import { LettersCard } from './letters-card.tsx';
import { RequestsCard } from './requests-card.tsx';

export function PapersTab({ ids }: { ids: ClientIds }) {
  const input = toClientInput(ids);
  const requests = useQuery(apiQuery(clientRequestsApi.list, input));
  const files = useQuery(apiQuery(clientFilesApi.list, input));
  return (
    <>
      <LoadState query={requests} skeleton={<TableSkeleton rows={3} />}>
        {(list) => <RequestsCard ids={ids} requests={list.requests} today={list.today} />}
      </LoadState>
      <LettersCard ids={ids} />
      <SectionCard title="Messages with the client">
        <Conversation
          ids={input}
          isClient={false}
          emptyText={clientText('messages.none_practice')}
          hint={clientText('messages.hint_practice')}
        />
      </SectionCard>
      <LoadState query={files} skeleton={<TableSkeleton rows={4} />}>
        {(list) => <FilesCard ids={ids} files={list.files} />}
      </LoadState>
    </>
  );
}

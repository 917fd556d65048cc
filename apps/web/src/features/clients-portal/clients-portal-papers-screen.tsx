/** Files and requests exchanged between a client and its practice. */
import { CLIENT_FILE_PATH, CLIENT_FILE_UPLOAD_PATH, clientFilesApi, type ClientFile } from '@portal/contract/client-files.ts';
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { FILE_FOLDER_NAMES } from '@portal/domain/client-files/client-file.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileItem } from '../../components/client-files/file-item.tsx';
import { FilePicker } from '../../components/client-files/file-picker.tsx';
import { apiQuery } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { Letters } from './letters.tsx';
import { NoClientCompany } from './no-client-company.tsx';
import { OwnCompanies } from './own-companies.tsx';
import { PortalNav } from './portal-nav.tsx';
import { Requests } from './requests.tsx';

export function ClientsPortalPapersScreen() {
  const { companyId, isSettled } = useCompanyId();
  const isNamed = companyId !== '';
  const peopleQuery = useQuery({ ...apiQuery(clientPortalApi.people, { company_id: companyId }), enabled: isNamed });
  const isMissing = peopleQuery.error?.status === 404 || peopleQuery.error?.status === 400;
  if ((isSettled && !isNamed) || isMissing) return <NoClientCompany page="clientsPortalPapers" />;
  return (
    <Page
      title={clientText('papers.title')}
      lead={peopleQuery.data === undefined ? '\u00A0' : clientText('papers.with', { practice: peopleQuery.data.practice })}
      maxWidth="text"
    >
      <Stack gap={24}>
        <OwnCompanies page="clientsPortalPapers" companyId={companyId} />
        <PortalNav current="papers" companyId={companyId} />
        <LoadState query={peopleQuery} skeleton={<CardSkeleton lines={8} />}>
          {({ practice }) => <Files key={companyId} companyId={companyId} practice={practice} />}
        </LoadState>
      </Stack>
    </Page>
  );
}

function Files({ companyId, practice }: { companyId: string; practice: string }) {
  const ids = { company_id: companyId, client_id: companyId };
  const queryClient = useQueryClient();
  const query = useQuery(apiQuery(clientFilesApi.list, ids));
  const invalidate = () => queryClient.invalidateQueries({ queryKey: [clientFilesApi.list.path] });
  return (
    <Stack gap={24}>
      <Requests companyId={companyId} practice={practice} />
      <Letters companyId={companyId} />
      <SectionCard title={clientText('papers.send.title')}>
        <Stack gap={12}>
          <Text>{clientText('papers.send.hint', { practice })}</Text>
          <FilePicker path={CLIENT_FILE_UPLOAD_PATH} query={ids} onSent={invalidate} />
        </Stack>
      </SectionCard>
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ files }) => (
          <>
            <FileCard
              title={clientText('papers.from_practice', { practice })}
              empty={clientText('papers.from_practice.none', { practice })}
              files={files.filter(({ is_from_client: isOwn }) => !isOwn)}
              ids={ids}
            />
            <FileCard
              title={clientText('papers.from_you')}
              empty={clientText('papers.from_you.none')}
              files={files.filter(({ is_from_client: isOwn }) => isOwn)}
              ids={ids}
            />
          </>
        )}
      </LoadState>
    </Stack>
  );
}

type FileCardProps = { title: string; empty: string; files: readonly ClientFile[]; ids: Readonly<Record<string, string>> };

function FileCard({ title, empty, files, ids }: FileCardProps) {
  return (
    <SectionCard title={title}>
      {files.length === 0 ? (
        <Text tone="quiet">{empty}</Text>
      ) : (
        <Stack as="ul" gap={0}>
          {files.map((file) => (
            <li key={file.file_id}>
              <FileItem file={file} path={CLIENT_FILE_PATH} query={ids} details={getFolderText(file)} />
            </li>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

/** Returns the folder and year that the practice chose. */
function getFolderText({ folder, year, is_from_client: isFromClient }: ClientFile): string | undefined {
  if (year !== null) return clientText('files.folder_year', { folder: FILE_FOLDER_NAMES[folder], year: String(year) });
  return isFromClient || folder === 'other' ? undefined : FILE_FOLDER_NAMES[folder];
}

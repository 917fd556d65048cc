import { CLIENT_FILE_PATH, CLIENT_FILE_UPLOAD_PATH, clientFilesApi, type ClientFile } from '@portal/contract/client-files.ts';
import { FILE_FOLDERS, FILE_FOLDER_NAMES, type FileFolder } from '@portal/domain/client-files/client-file.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { FileItem } from '../../components/client-files/file-item.tsx';
import { FilePicker } from '../../components/client-files/file-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Select } from '../../ui/input.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';

const FileDialog = lazy(() => import('./file-dialog.tsx').then((file) => ({ default: file.FileDialog })));

type Filters = { readonly folder: FileFolder | ''; readonly year: string };

export function FilesCard({ ids, files }: { ids: ClientIds; files: readonly ClientFile[] }) {
  const queryClient = useQueryClient();
  const [isShared, setIsShared] = useState(false);
  const [filters, setFilters] = useState<Filters>({ folder: '', year: '' });
  const [changedFile, setChangedFile] = useState<ClientFile>();
  const shownFiles = files.filter(
    ({ folder, year }) => (filters.folder === '' || folder === filters.folder) && (filters.year === '' || String(year) === filters.year),
  );
  return (
    <SectionCard title="Files" source="Every file is scanned for viruses before anyone can open it.">
      <Stack gap={16}>
        <Stack gap={8} align="start">
          <Checkbox
            label="Share with the client"
            hint="The client can see the file immediately and gets an email that doesn’t name it. Otherwise, only your colleagues see it."
            checked={isShared}
            onChange={({ target: { checked } }) => setIsShared(checked)}
          />
          <FilePicker
            path={CLIENT_FILE_UPLOAD_PATH}
            query={{ ...toClientInput(ids), is_shared: String(isShared) }}
            onSent={() => queryClient.invalidateQueries({ queryKey: [clientFilesApi.list.path] })}
          />
        </Stack>
        {files.length > 0 && <FileFilters files={files} filters={filters} onChange={setFilters} />}
        {shownFiles.length === 0 ? (
          <Text tone="quiet">{files.length === 0 ? 'No files yet.' : 'No files in this folder and year.'}</Text>
        ) : (
          <Stack as="ul" gap={0} aria-label="Files">
            {shownFiles.map((file) => (
              <li key={file.file_id}>
                <FileItem
                  file={file}
                  path={CLIENT_FILE_PATH}
                  query={toClientInput(ids)}
                  details={describeFolder(file)}
                  actions={
                    <Button size="small" variant="text" onClick={() => setChangedFile(file)}>
                      Change <HiddenText>{file.name}</HiddenText>
                    </Button>
                  }
                />
              </li>
            ))}
          </Stack>
        )}
      </Stack>
      <Suspense fallback={null}>
        {changedFile && <FileDialog ids={ids} file={changedFile} onClose={() => setChangedFile(undefined)} />}
      </Suspense>
    </SectionCard>
  );
}

function describeFolder({ folder, year, is_from_client: isFromClient, is_shared: isShared }: ClientFile): string {
  const place = year === null ? FILE_FOLDER_NAMES[folder] : `${FILE_FOLDER_NAMES[folder]} ${year}`;
  return `${place}, ${isFromClient ? 'sent by the client' : isShared ? 'shared with the client' : 'colleagues only'}`;
}

type FileFiltersProps = { files: readonly ClientFile[]; filters: Filters; onChange: (filters: Filters) => void };

function FileFilters({ files, filters, onChange }: FileFiltersProps) {
  const years = [...new Set(files.flatMap(({ year }) => (year === null ? [] : [year])))].toSorted((a, b) => b - a);
  return (
    <Row gap={8}>
      <Select
        small
        widthInCharacters={14}
        aria-label="Folder"
        value={filters.folder}
        onChange={({ target: { value } }) => onChange({ ...filters, folder: value as FileFolder | '' })}
      >
        <option value="">All folders</option>
        {FILE_FOLDERS.map((folder) => (
          <option key={folder} value={folder}>
            {FILE_FOLDER_NAMES[folder]}
          </option>
        ))}
      </Select>
      {years.length > 0 && (
        <Select
          small
          widthInCharacters={10}
          aria-label="Year"
          value={filters.year}
          onChange={({ target: { value } }) => onChange({ ...filters, year: value })}
        >
          <option value="">All years</option>
          {years.map((year) => (
            <option key={year} value={year}>
              {year}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}

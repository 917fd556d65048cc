/** The practice's tasks: a list or a board, with filters in the URL. */
import { MAX_BULK_WORK_ITEMS, type WorkStatus } from '@portal/domain/work-items/work-item.ts';
import { useEffect, useState } from 'react';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { NewWorkDialog } from './new-work-dialog.tsx';
import { useWorkChanges } from './use-work.ts';
import { WorkBoard } from './work-board.tsx';
import { toWorkFilters, WORK_FILTERS, WorkFilterBar } from './work-filters.tsx';
import { WorkItemDialog } from './work-item-dialog.tsx';
import { WorkList } from './work-list.tsx';

export function WorkItemsScreen() {
  const { companyId } = useCompanyId();
  const { filters, change: setFilters, clear } = useUrlFilters([...WORK_FILTERS, 'view', 'task']);
  const [isCreating, setIsCreating] = useState(false);
  const [selectedIds, setSelected] = useState<ReadonlySet<string>>(new Set());
  const changes = useWorkChanges(companyId);
  useCreateKey(() => setIsCreating(true), isCreating || filters.task !== undefined);
  const isBoard = filters.view === 'board';
  const toView = (view: Readonly<Record<string, string>>) => getPageLink('workItems', { company_id: companyId, ...view });
  const shownFilters = toWorkFilters(filters);
  const toList = (status: WorkStatus) => {
    const { view: _view, task: _task, ...kept } = filters;
    return toView({ ...kept, status });
  };
  const select = (id: string) => {
    const next = new Set(selectedIds);
    if (!next.delete(id) && next.size < MAX_BULK_WORK_ITEMS) next.add(id);
    setSelected(next);
  };
  return (
    <PracticePage
      title="Tasks"
      lead={
        <>
          Your team’s client work, by due date.{' '}
          <TextLink to={getPageLink('practiceRequests', { company_id: companyId })}>Client requests</TextLink>
          {' · '}
          <TextLink to={getPageLink('workTemplates', { company_id: companyId })}>Templates</TextLink>
        </>
      }
      actions={<Button onClick={() => setIsCreating(true)}>New task</Button>}
    >
      <Stack gap={16}>
        <ViewTabs
          current={`${filters.owner === undefined && filters.client_id === undefined ? 'mine' : 'all'}${isBoard ? ' board' : ''}`}
          tabs={[
            { key: 'mine', name: 'My tasks', to: toView({}) },
            { key: 'all', name: 'All tasks', to: toView({ owner: 'all' }) },
            { key: 'mine board', name: 'My board', to: toView({ view: 'board' }) },
            { key: 'all board', name: 'Team board', to: toView({ view: 'board', owner: 'all' }) },
          ]}
        />
        <WorkFilterBar companyId={companyId} filters={filters} isBoard={isBoard} onChange={setFilters} onClear={clear} />
        <ChangeResult changes={changes} />
        {selectedIds.size > 0 && (
          <BulkBar companyId={companyId} selected={selectedIds} changes={changes} onDone={() => setSelected(new Set())} />
        )}
        {isBoard ? (
          <WorkBoard
            companyId={companyId}
            filters={shownFilters}
            changes={changes}
            onOpen={(task) => setFilters({ task })}
            toList={toList}
          />
        ) : (
          <WorkList
            companyId={companyId}
            filters={shownFilters}
            selected={selectedIds}
            onSelect={select}
            changes={changes}
            onOpen={(task) => setFilters({ task })}
            onCreate={() => setIsCreating(true)}
          />
        )}
      </Stack>
      {isCreating && <NewWorkDialog companyId={companyId} clientId={filters.client_id} onClose={() => setIsCreating(false)} />}
      {filters.task !== undefined && companyId !== '' && (
        <WorkItemDialog companyId={companyId} itemId={filters.task} changes={changes} onClose={() => setFilters({ task: undefined })} />
      )}
    </PracticePage>
  );
}

type Changes = ReturnType<typeof useWorkChanges>;

/** The live region must exist before its text. Otherwise some screen readers announce nothing. */
function ChangeResult({ changes: { last, dismiss, change, undo } }: { changes: Changes }) {
  const error = change.error ?? undo.error;
  return (
    <>
      {error && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(error)}
        </Notice>
      )}
      <Row gap={8}>
        <Text role="status">{last?.text}</Text>
        {last !== null && last.replaced.length > 0 && (
          <Button size="small" variant="outlined" onClick={() => undo.mutate()} disabled={undo.isPending}>
            Undo
          </Button>
        )}
        {last !== null && (
          <Button size="small" variant="text" onClick={dismiss}>
            Dismiss
          </Button>
        )}
      </Row>
    </>
  );
}

/** “n” creates a task, except while the user is typing. */
function useCreateKey(create: () => void, isOff: boolean): void {
  useEffect(() => {
    if (isOff) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
      if (event.key !== 'n' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      create();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

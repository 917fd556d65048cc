import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { RightsTable } from '../../ui/rights-table.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { Sample, Samples, Section } from './section.tsx';

const OPTIONS = [
  { value: 'me', label: 'Me' },
  { value: 'nobody', label: 'Unassigned' },
];

const LIMITS = [
  { company: 'Copper Logistics Ltd', limit: '£250,000.00', changed: '7 Mar 2026' },
  { company: 'Tamar Metals Ltd', limit: '£50,000.00', changed: null },
];

export function ListSamples() {
  const [owner, matchUser] = useState<string>();
  const [order, setOrder] = useState<string>();
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  return (
    <Section id="list-controls" title="List controls" lead="Search, filters, views and pages of a list. The filters are part of the URL.">
      <Samples minWidth={320}>
        <Sample name={q === '' ? 'Search' : `Search for ${q}`}>
          <ListSearch label="Search companies" hint="By name or VAT number" text={q} onSearch={setQ} />
        </Sample>
        <Sample name="Filter, unset and set">
          <FilterPill label="Owner" value={owner} options={OPTIONS} onSelect={matchUser} />
          <FilterPill label="Assigned to someone else" value="me" options={OPTIONS} onSelect={() => undefined} />
        </Sample>
        <Sample name="Filter with a custom label for the unset option">
          <FilterPill
            label="Order"
            unsetLabel="Largest first"
            value={order}
            options={[{ value: 'name', label: 'By name' }]}
            onSelect={setOrder}
          />
        </Sample>
        <Sample name="Views as tabs">
          <PillTabs
            label="Cases"
            current="open"
            tabs={[
              { key: 'open', label: 'Open (48)', to: '/dev/components' },
              { key: 'ended', label: 'Ended', to: '/dev/components?show=ended' },
            ]}
          />
        </Sample>
        <Sample name="Views">
          <ViewTabs
            current="all"
            tabs={[
              { key: 'mine', name: 'Mine', to: '/dev/components', count: 12 },
              { key: 'all', name: 'All', to: '/dev/components?show=all' },
            ]}
          />
        </Sample>
        <Sample name="Pages">
          <Pager page={page} pages={17} count={826} noun="companies" onPage={setPage} />
        </Sample>
        <Sample name="Rows of a table as cards">
          <RecordCards
            label="People"
            cards={[
              {
                key: 'olga',
                title: 'Olga Marsh',
                facts: [
                  { label: 'Role', value: 'Administrator' },
                  { label: 'Last seen', value: '7 Mar 2026, 09:14' },
                ],
                action: (
                  <Button size="small" variant="outlined">
                    Change
                  </Button>
                ),
              },
              { key: 'omar', title: 'Omar Finch (you)', facts: [{ label: 'Role', value: 'Releaser' }] },
            ]}
          />
        </Sample>
        <Sample name="Table whose rows become cards on a phone">
          <RecordTable
            label="Limits"
            rows={LIMITS}
            getKey={({ company }) => company}
            columns={[
              { title: 'Company', cell: ({ company }) => company, total: 'All companies' },
              { title: 'Limit', layout: 'numeric', cell: ({ limit }) => limit, total: '£300,000.00' },
              { title: 'Changed', layout: 'nowrap', cell: ({ changed }) => changed },
              {
                title: 'Action',
                layout: 'action',
                cell: () => (
                  <Button size="small" variant="outlined">
                    Change
                  </Button>
                ),
              },
            ]}
          />
        </Sample>
        <Sample name="What each role may do">
          <RightsTable
            label="Rights"
            roles={[
              { key: 'owner', name: 'Owner', isOwn: true },
              { key: 'bookkeeper', name: 'Bookkeeper' },
              { key: 'viewer', name: 'Viewer' },
            ]}
            rights={[
              { name: 'View returns', cells: [true, true, true] },
              { name: 'File returns', cells: [true, 'If permitted', false] },
            ]}
          />
        </Sample>
        <Sample name="One page">
          <Pager page={1} pages={1} count={3} noun="cases, £1,234.50 missing" onPage={() => undefined} />
        </Sample>
      </Samples>
    </Section>
  );
}

/** Earlier imports, each linked to its page. */
import type { ImportState } from '@portal/domain/client-imports/import-states.ts';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import type { clientImportsApi } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { Link } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

const STATE_LABELS: Readonly<Record<ImportState, string>> = {
  checking: 'being read',
  ready: 'tried, not imported',
  importing: 'being imported',
  completed: 'imported',
  cancelled: 'cancelled',
  failed: 'stopped',
  undone: 'undone',
};

type OtherFilesProps = { companyId: string; files: EndpointOutput<typeof clientImportsApi.info>['earlier'] };

export function OtherFiles({ companyId, files }: OtherFilesProps) {
  if (files.length === 0) return null;
  return (
    <SectionCard title="Other files you sent">
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {files.map(({ import_id: id, file_name: name, state, created_at: at }) => (
          <Box component="li" key={id} sx={{ py: 1, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}>
            <MuiLink
              component={Link}
              to={pageLink('clientImport', { company_id: companyId, import_id: id })}
              sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}
            >
              {name}
            </MuiLink>
            <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: '0.875rem' }}>
              <InstantText at={at} />, {STATE_LABELS[state]}
            </Box>
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}

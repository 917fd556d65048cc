/** The client's VAT group: who represents it, and for whom the representative member files and pays. */
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { VatGroup } from '@portal/contract/vat-groups.ts';
import { lazy, Suspense, useState } from 'react';
import { getClientLink } from '../../lib/client-labels.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';

const VatGroupDialog = lazy(() => import('./vat-group-dialog.tsx').then((file) => ({ default: file.VatGroupDialog })));

export function VatGroupCard({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const isAdmin = useIsAdmin(ids.companyId);
  const [isOpen, setIsOpen] = useState(false);
  const { vat_group: group } = client;
  if (group === null && !isAdmin) return null;
  return (
    <SectionCard
      title={group?.role === 'member' ? 'VAT' : 'VAT group'}
      aside={
        isAdmin && (
          <Button size="small" variant="outlined" onClick={() => setIsOpen(true)}>
            {group === null ? 'Set VAT group' : 'Change VAT group'}
          </Button>
        )
      }
    >
      {group === null && <Text tone="quiet">Not known to be in a VAT group.</Text>}
      {group?.role === 'member' && <MemberText companyId={ids.companyId} group={group} />}
      {group?.role === 'representative' && <RepresentativeText companyId={ids.companyId} group={group} />}
      <Suspense fallback={null}>{isOpen && <VatGroupDialog ids={ids} client={client} onClose={() => setIsOpen(false)} />}</Suspense>
    </SectionCard>
  );
}

type GroupTextProps = { companyId: string; group: VatGroup };

/** For example "Not applicable: in the VAT group of Alder Holdings Ltd". */
function MemberText({ companyId, group: { vrn, representative } }: GroupTextProps) {
  const number = vrn === null ? '' : ` (VAT number ${formatVrn(vrn)})`;
  return (
    <Stack gap={8}>
      <Text weight="medium">
        Not applicable:{' '}
        {representative === null ? (
          `in a VAT group${number}`
        ) : (
          <>
            in the VAT group of <TextLink to={getClientLink(companyId, representative.client_id) ?? ''}>{representative.name}</TextLink>
            {number}
          </>
        )}
      </Text>
      <Text size="small" tone="quiet">
        The group’s representative member files its VAT returns and pays its VAT, so the figures are there. Like every member, this client
        is liable for all of the group’s VAT (VAT Act 1994, section 43).
      </Text>
    </Stack>
  );
}

function RepresentativeText({ companyId, group: { members } }: GroupTextProps) {
  return (
    <Stack gap={8}>
      <Text>
        Representative member: files the group’s VAT returns and pays its VAT
        {members.length === 0 ? '. None of your clients is recorded as another member.' : ' for:'}
      </Text>
      {members.length > 0 && (
        <ul aria-label="Members of the VAT group">
          {members.map(({ client_id: id, name }) => (
            <li key={id}>
              <TextLink to={getClientLink(companyId, id) ?? ''}>{name}</TextLink>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

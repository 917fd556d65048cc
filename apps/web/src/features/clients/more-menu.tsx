/** Actions on the whole list, other than adding a client. */
import { EXPORT_FORMATS } from '@portal/contract/clients.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { getClientImportLink } from '../../lib/practice-home.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import type { MenuEntry } from '../../ui/menu-entry.tsx';
import { getExportHref, type ListParams } from './list-params.ts';

export type ListDialog = 'views' | 'columns' | 'changes';

type MoreMenuProps = {
  companyId: string;
  address: ListParams;
  isAdmin: boolean;
  /** Whether the user has permission to export. */
  mayExport: boolean;
  isTable: boolean;
  onOpen: (dialog: ListDialog) => void;
};

export function MoreMenu({ companyId, address, isAdmin, mayExport, isTable, onOpen }: MoreMenuProps) {
  const top: MenuEntry[] = [
    { label: 'Save or edit views', onChoose: () => onOpen('views') },
    ...(isTable ? [{ label: 'Columns', onChoose: () => onOpen('columns') }] : []),
    { label: 'Invitations', to: getPageLink('clientInvitations', { company_id: companyId }) },
    { label: 'Client groups', to: getPageLink('clientGroups', { company_id: companyId }) },
    ...(isAdmin
      ? [
          { label: 'Recent changes', onChoose: () => onOpen('changes') },
          { label: 'Import clients', to: getClientImportLink(companyId) },
          { label: 'Import statements', to: getPageLink('taxStatements', { company_id: companyId }) },
        ]
      : []),
  ];
  const files = (mayExport ? EXPORT_FORMATS : []).map((format): MenuEntry => ({
    label: `Download as ${format.toUpperCase()}`,
    href: getExportHref(companyId, address, format),
  }));
  return <MenuButton label="More" icon={<Icon name="more" />} top={top} bottom={files} />;
}

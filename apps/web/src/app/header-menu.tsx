/** The menu of a person who is logged in (specification 2.6). Its companies are read when it is first opened. */
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ask } from '../lib/api.ts';
import { rememberedCompany } from '../lib/company-id.ts';
import { pageLink } from '../lib/page-link.ts';
import { Icon } from '../ui/icons.tsx';
import { homeEntry } from './home-entry.ts';
import { useSession } from './session.tsx';

export function HeaderMenu({ companyName }: { companyName?: string | undefined }) {
  const { session } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = anchor !== null;
  const companies = useQuery({ ...ask(identityApi.userCompanies, {}), enabled: isOpen });
  const ownsCompanies = session.status === 'signed_in' && (session.person.type === 'trader' || session.person.type === 'new');
  const goTo = (path: string) => {
    setAnchor(null);
    void navigate(path);
  };
  const companyId = rememberedCompany();
  // Nobody is there whose menu it would be; the demo has no session either.
  if (session.status !== 'signed_in' && session.status !== 'unknown') return null;
  const home = homeEntry(pathname, companies.data?.length, companyId);
  return (
    <>
      <IconButton
        aria-label={companyName === undefined ? 'Menu' : `Open the menu of ${companyName}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="menu" sx={{ color: 'text.primary' }} />
      </IconButton>
      <Menu disablePortal anchorEl={anchor} open={isOpen} onClose={() => setAnchor(null)} transitionDuration={150}>
        <MenuItem onClick={() => goTo(home.to)}>{home.label}</MenuItem>
        {ownsCompanies && <MenuItem onClick={() => goTo(`${PAGES.stepCompany.path}?existing_user=1`)}>Add company</MenuItem>}
        {ownsCompanies && <MenuItem onClick={() => goTo(PAGES.getStarted.path)}>What is left to do</MenuItem>}
        <MenuItem onClick={() => goTo(pageLink('profile', companyId === '' ? {} : { company_id: companyId }))}>Profile</MenuItem>
        <Divider />
        <MenuItem onClick={() => goTo(PAGES.logout.path)}>Log out</MenuItem>
      </Menu>
    </>
  );
}

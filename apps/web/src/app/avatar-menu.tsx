import Avatar from '@mui/material/Avatar';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ask } from '../lib/api.ts';
import { useCompanyId } from '../lib/company-id.ts';
import { initialsOf } from '../lib/initials.ts';

const AVATAR_PX = 35;

/** The initials of the company, 35 px, with the ways out of the dashboard. The name's failure leaves the circle empty (specification 8). */
export function AvatarMenu() {
  const { companyId } = useCompanyId();
  const name = useQuery({ ...ask(identityApi.dashboardCompanyName, { company_id: companyId }), enabled: companyId !== '' });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const goTo = (path: string) => {
    setAnchor(null);
    void navigate(path);
  };
  const initials = initialsOf(name.data?.name ?? '');
  // The name begins with what is seen, so that people who speak to their computer can say it (WCAG 2.5.3).
  const label = name.data === undefined ? 'Menu' : `${initials}: menu of ${name.data.name}`;
  return (
    <>
      <IconButton
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Avatar
          sx={{
            width: AVATAR_PX,
            height: AVATAR_PX,
            fontSize: '0.875rem',
            fontWeight: 600,
            bgcolor: 'secondary.fill',
            color: 'secondary.onFill',
          }}
        >
          {initials}
        </Avatar>
      </IconButton>
      <Menu disablePortal anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} transitionDuration={150}>
        <MenuItem onClick={() => goTo(PAGES.home.path)}>Home</MenuItem>
        <MenuItem onClick={() => goTo(PAGES.logout.path)}>Log out</MenuItem>
      </Menu>
    </>
  );
}

import Avatar from '@mui/material/Avatar';
import IconButton from '@mui/material/IconButton';
import { Link } from 'react-router';
import { initialsOf } from '../lib/initials.ts';
import { pageLink } from '../lib/page-link.ts';

const AVATAR_PX = 35;

/** The initials of the company, 35 px: leads to the profile (specification 2.6). The name's failure leaves the circle empty (section 8). */
export function AvatarLink({ companyId, companyName }: { companyId: string; companyName: string | undefined }) {
  const initials = initialsOf(companyName ?? '');
  return (
    <IconButton
      component={Link}
      to={pageLink('profile', companyId === '' ? {} : { company_id: companyId })}
      // The name begins with what is seen, so that people who speak to their computer can say it (WCAG 2.5.3).
      aria-label={initials === '' ? 'Your profile' : `${initials}: your profile`}
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
  );
}

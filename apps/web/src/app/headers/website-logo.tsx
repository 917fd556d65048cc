import { useLocation } from 'react-router';
import { getWebsiteUrl } from '../../lib/settings.ts';
import { Logo } from '../logo.tsx';
import styles from '../shell.module.css';

/** Links to the website, in a new tab unless the link's or the page's URL contains /home. */
export function WebsiteLogo({ url: givenUrl }: { url?: string }) {
  const { pathname } = useLocation();
  const url = givenUrl ?? getWebsiteUrl(pathname);
  const opensInSameTab = url.includes('/home') || pathname.includes('/home');
  return (
    <a href={url} className={styles.logoLink} {...(opensInSameTab ? {} : { target: '_blank', rel: 'noreferrer' })}>
      <Logo />
    </a>
  );
}

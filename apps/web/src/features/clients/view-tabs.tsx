/** Views of the list as tabs: those that every practice has, then saved ones. They are links, so that each can be shared. */
import { clientsApi } from '@portal/contract/clients.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from '../../ui/link.tsx';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { listPresetViews, toViewKey } from './preset-views.ts';
import styles from './view-tabs.module.css';

type ViewTabsProps = { companyId: string; today: PlainDate; isAdmin: boolean; search: URLSearchParams };

export function ViewTabs({ companyId, today, isAdmin, search }: ViewTabsProps) {
  const saved = useQuery({ ...apiQuery(clientsApi.savedViews, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  const current = useRef<HTMLAnchorElement>(null);
  const here = toViewKey(search);
  const list = pageLink('practiceClients', { company_id: companyId });
  const views = [
    ...listPresetViews(today, isAdmin).map(({ name, query }) => ({ key: name, name, query })),
    ...(saved.data?.views ?? []).map(({ view_id: key, name, query }) => ({ key, name, query })),
  ];
  const tabs = views.map((view) => ({ ...view, to: view.query === '' ? list : `${list}&${view.query}` }));
  const currentKey = tabs.find(({ query }) => toViewKey(new URLSearchParams(query)) === here)?.key;
  useEffect(() => {
    const tab = current.current;
    // Only sideways within the tabs; scrollIntoView would move the page as well.
    const list = tab?.closest('ul');
    if (!tab || !list) return;
    const isVisible = tab.offsetLeft >= list.scrollLeft && tab.offsetLeft + tab.offsetWidth <= list.scrollLeft + list.clientWidth;
    if (!isVisible) list.scrollLeft = tab.offsetLeft - 24;
  }, [currentKey]);
  return (
    <nav aria-label="Views" className={styles.tabs}>
      <ul className={styles.list}>
        {tabs.map(({ key, name, to }) => (
          <li key={key}>
            <Link
              ref={key === currentKey ? current : null}
              to={to}
              replace
              preventScrollReset
              aria-current={key === currentKey ? 'page' : undefined}
              data-label={name}
              className={styles.tab}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

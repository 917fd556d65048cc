export type NavigationLink = {
  readonly label: string;
  readonly to: string;
  /** Paths of other pages that belong to this link. */
  readonly paths?: readonly string[];
};

/** Returns `page` on the link's own page, and `true` on another page that belongs to it, from which the link leads back. */
export function getAriaCurrent({ to, paths = [] }: NavigationLink, pathname: string): 'page' | 'true' | undefined {
  const currentPath = pathname.replace(/\/+$/, '');
  if (currentPath === to.split('?')[0]) return 'page';
  return paths.includes(currentPath) ? 'true' : undefined;
}

import { useContext } from 'react';
import { SavesCompanyId } from '../../lib/company-id.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';

type DownloadButtonProps = {
  /** The file's path below the portal's base. */
  path: `/${string}`;
  query: Readonly<Record<string, string>>;
  label: string;
  /** The accessible name, which identifies the file and starts with the label's text. */
  name: string;
};

/** A link that saves a file. Hidden in the demo, which doesn't have files. */
export function DownloadButton({ path, query, label, name }: DownloadButtonProps) {
  const isReal = useContext(SavesCompanyId);
  if (!isReal) return null;
  return (
    <Button size="small" variant="outlined" href={`${PORTAL_BASE}${path}?${new URLSearchParams(query)}`} download aria-label={name}>
      {label}
    </Button>
  );
}

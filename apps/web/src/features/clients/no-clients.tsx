import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoClientsIllustration } from '../../ui/illustrations.tsx';

/** Shown to a practice without clients, or to a team member without assigned clients: explains what to do next. */
export function NoClients({ importLink, isAdmin }: { importLink: string | undefined; isAdmin: boolean }) {
  return isAdmin ? (
    <EmptyState
      framed
      illustration={<NoClientsIllustration />}
      title="No clients yet"
      text="Import your clients from a spreadsheet or another product. You’ll see a preview first, and you can undo the import for 24 hours."
    >
      {importLink !== undefined && <Button to={importLink}>Import clients</Button>}
    </EmptyState>
  ) : (
    <EmptyState
      framed
      illustration={<NoClientsIllustration />}
      title="No clients assigned to you yet"
      text="When an admin of your practice assigns clients to you, they appear here."
    />
  );
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      framed
      illustration={<NoClientsIllustration />}
      title="No clients match"
      text="Try a different search, or clear the filters."
    >
      <Button variant="outlined" onClick={onClear}>
        Clear search and filters
      </Button>
    </EmptyState>
  );
}

import './shell.css';
import { HiddenText } from '../ui/hidden-text.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** A spinner in the centre of its container. `label` is for screen readers. */
export function CentredSpinner({ label }: { label: string }) {
  return (
    <div aria-busy="true" className="p-centre">
      <Spinner size={40} />
      <HiddenText role="status">{label}</HiddenText>
    </div>
  );
}

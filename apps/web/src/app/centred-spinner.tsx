import './shell.css';
import { HiddenText } from '../ui/hidden-text.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** In the middle of its place, with words for those who do not see it. */
export function CentredSpinner({ label }: { label: string }) {
  return (
    <div aria-busy="true" className="p-centre">
      <Spinner size={40} />
      <HiddenText role="status">{label}</HiddenText>
    </div>
  );
}

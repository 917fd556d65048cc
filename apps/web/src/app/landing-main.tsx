import { Landing } from '../landing/landing.tsx';
import { renderLiveDemo, showConsent, startLanding } from './start-landing.tsx';

startLanding((site) => <Landing {...site} renderDemo={renderLiveDemo} onDialogClosed={showConsent} />);

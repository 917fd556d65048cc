import { PartnerPage } from '../landing/partner-page.tsx';
import { renderLiveDemo, showConsent, startLanding } from './start-landing.tsx';

startLanding((site) => <PartnerPage {...site} renderDemo={renderLiveDemo} onDialogClosed={showConsent} />, { isPartnerPage: true });

import { OpenTaxLanding } from '../landing/open-tax-landing.tsx';
import { showConsent, startLanding } from './start-landing.tsx';

startLanding((site) => <OpenTaxLanding {...site} />);
showConsent();

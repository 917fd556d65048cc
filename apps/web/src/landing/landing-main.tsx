import '../app/font.css';
import './landing.css';
import './landing-page.css';
import { hydrateRoot } from 'react-dom/client';
import { brandName, sandboxUrl } from '../lib/settings.ts';
import { Landing } from './landing.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('landing.html has no #root');

hydrateRoot(root, <Landing brand={brandName()} sandbox={sandboxUrl()} />);

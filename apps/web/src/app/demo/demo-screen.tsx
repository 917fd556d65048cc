export { DemoDashboard as DemoScreen } from './demo-dashboard.tsx';

/** Opens the port for reports about our mail for as long as the portal runs. */
import { reportAddresses } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { hashReportToken } from '../../mail/report-address.ts';
import { openReportInbox, type ReportInbox, type ReportReceiver, type ReportSettings } from '../../mail/report-inbox.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { applyReport } from './apply-report.ts';

const RETRY_MS = 15_000;

export function createReportReceiver(deps: AppDeps): ReportReceiver {
  const { db } = deps.database;
  return {
    isLive: (token) =>
      runAsSystem('mail report', async () => {
        const isThis = eq(reportAddresses.tokenHash, hashReportToken(token));
        const foundAddresses = await db.select({ companyId: reportAddresses.companyId }).from(reportAddresses).where(isThis);
        return foundAddresses.length > 0;
      }),
    apply: (token, report) => runAsSystem('mail report', () => applyReport(deps, token, report)),
    count: (kind) => deps.metrics.mailReports.inc({ kind }),
    logger: deps.logger,
  };
}

/**
 * While another portal on this computer uses the port, it receives the reports, and this one takes over afterwards. Nothing else depends on
 * reports, so any other failure to open the port is logged and retried.
 */
export async function receiveReports(deps: AppDeps, settings: ReportSettings): Promise<{ stop(): Promise<void> }> {
  const receiver = createReportReceiver(deps);
  let inbox: ReportInbox | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const open = async (): Promise<void> => {
    try {
      inbox = await openReportInbox(settings, receiver);
      if (isStopped) await inbox.close();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
        deps.logger.info(
          { port: settings.port },
          'reports: the port is in use, usually by another portal instance, which receives the reports',
        );
      else deps.logger.error({ err: error, port: settings.port }, 'reports: the port could not be opened');
      if (isStopped) return;
      timer = setTimeout(() => void open(), RETRY_MS);
      timer.unref();
    }
  };
  await open();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await inbox?.close();
    },
  };
}

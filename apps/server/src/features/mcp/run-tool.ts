/** Runs a tool for an app: parses its input, wraps its result, and records the call before the result is sent. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { z } from 'zod/mini';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { ToolError } from '../../http/call-portal.ts';
import { DATA_NOTICE, type Tool, type ToolContext } from './tool.ts';

export type ToolCall = { readonly context: ToolContext; readonly ip: string };

export async function runTool(deps: AppDeps, tool: Tool, { context, ip }: ToolCall, input: unknown): Promise<CallToolResult> {
  try {
    const data = await tool.run(context, parseInput(tool, input));
    await recordCall(deps, tool, { context, ip }, input, 'answered');
    return toResult(deps, data);
  } catch (error) {
    const toolError = error instanceof ToolError ? error : new ToolError('server.bug', INTERNAL_ERROR_TEXT);
    if (toolError !== error) deps.logger.error({ err: error, tool: tool.name }, 'tool failed');
    await recordCall(deps, tool, { context, ip }, input, toolError.code);
    return { content: [{ type: 'text', text: `${toolError.message} (${toolError.code})` }], isError: true };
  }
}

const INTERNAL_ERROR_TEXT = 'Something went wrong on our side. Nothing was changed. Try again, and contact us if it keeps happening.';

function parseInput(tool: Tool, input: unknown): Record<string, unknown> {
  const parsed = z.safeParse(tool.input, input ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ToolError('input.invalid', `${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'badly formed'}`);
}

/** Records who requested what about which client, and the outcome, but not the data found. `outcome` is `answered` or the error's code. */
export async function recordCall(
  { database, clock }: Pick<AppDeps, 'database' | 'clock'>,
  { name }: Pick<Tool, 'name'>,
  { context: { actor }, ip }: { readonly context: Pick<ToolContext, 'actor'>; readonly ip: string },
  input: unknown,
  outcome: string,
): Promise<void> {
  const { companyId, id, program } = actor.credential;
  const clientInput = z.safeParse(z.object({ client_id: z.uuid() }), input);
  const after = { tool: name, program: program?.name ?? null, client_id: clientInput.data?.client_id ?? null, outcome };
  const entry = { companyId, at: clock.now(), actor: actor.userId, action: 'program.tool_called', subject: id, after, ip };
  await runInScope({ kind: 'tenant', tenantId: companyId, actorId: actor.userId }, () =>
    database.db.transaction((tx) => recordAudit(tx, entry)),
  );
}

function toResult({ clock, site }: Pick<AppDeps, 'clock' | 'site'>, data: unknown): CallToolResult {
  const { sources, asOf } = findFigures(data);
  const structuredContent = {
    source: `${site.brand} OpenTax`,
    figure_sources: sources,
    as_of: asOf,
    answered_at: clock.now(),
    notice: DATA_NOTICE,
    data,
  };
  // Apps that don't read structured content get the same data as text.
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** Finds the sources of all figures in a result, and the time of the oldest. */
function findFigures(data: unknown): { readonly sources: string[]; readonly asOf: string | null } {
  const sources = new Set<string>();
  let asOf: string | null = null;
  const collectFigures = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'source' && typeof member === 'string') sources.add(member);
      if (name === 'as_of' && typeof member === 'string') asOf = asOf === null || member < asOf ? member : asOf;
      collectFigures(member);
    }
  };
  collectFigures(data);
  return { sources: [...sources].toSorted(), asOf };
}

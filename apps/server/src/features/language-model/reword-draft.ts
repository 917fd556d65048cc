/**
 * Sends the text of a draft to the language model at a user's request. The text sent is stored before the call, and the reply afterwards.
 * Instructions in the reply are never followed: it is only a text to offer or discard.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { languageModelApi } from '@portal/contract/language-model.ts';
import type { Tx } from '@portal/db/database.ts';
import { languageModelCalls } from '@portal/db/schema/schema.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { checkRewording } from '@portal/domain/language-model/check-rewording.ts';
import { maskFacts, type MaskedText } from '@portal/domain/language-model/mask-facts.ts';
import { getRewordableText } from '@portal/domain/language-model/reword-action.ts';
import {
  AGREEMENT_VERSION,
  MAX_REWORDINGS_PER_DAY,
  MAX_TEXT_LENGTH,
  REWORDING_INSTRUCTION,
} from '@portal/domain/language-model/rewording-request.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { LanguageModelResponse } from '@portal/providers/language-model/language-model-port.ts';
import type { AppDeps, ConfiguredLanguageModel } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { assertRunning } from '../agent/agent-settings.ts';
import { lockProposal } from '../agent/decide-proposals.ts';
import { fillText } from '../agent/fill-text.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { DAY_MS } from './agree.ts';
import { describeProblems, toStoredProblems } from './describe-problems.ts';
import { findAgreement } from './find-agreement.ts';
import { loadNames, type DraftNames } from './load-names.ts';

type RewordCall = Call<typeof languageModelApi.reword>;
type Rewording = EndpointOutput<typeof languageModelApi.reword>;
type StoredCall = typeof languageModelCalls.$inferSelect;

/** Limits the cost of one call, including for models that reason before they answer. */
const MAX_TOKENS = 4_000;
/** The maximum length of the stored response. */
const MAX_STORED = 20_000;

type StartedCall = { readonly original: string; readonly masked: MaskedText; readonly names: DraftNames; readonly stored: StoredCall };

export async function rewordDraft(deps: AppDeps, call: RewordCall): Promise<Rewording> {
  const startedCall = await startCall(deps, call);
  // A repeated request: nothing is sent again.
  if (startedCall.model === null) return toRewording(startedCall, startedCall.stored);
  let modelResponse: LanguageModelResponse;
  try {
    modelResponse = await startedCall.model.rewrite({
      instruction: REWORDING_INSTRUCTION,
      text: startedCall.masked.text,
      maxTokens: MAX_TOKENS,
    });
  } catch (error) {
    const failure = error instanceof ProviderError ? error.failure : 'unknown';
    await finishCall(deps, startedCall.stored, { state: 'failed', problems: [`no_answer ${failure}`] });
    throw error;
  }
  const rewordingCheck = checkRewording(startedCall.original, startedCall.masked, modelResponse.text, startedCall.names.hidden);
  const receivedFields = { receivedText: toStorable(modelResponse.text), model: toStorable(modelResponse.model).slice(0, 200) };
  const outcome =
    'text' in rewordingCheck
      ? { ...receivedFields, state: 'offered' as const }
      : { ...receivedFields, state: 'dropped' as const, problems: toStoredProblems(rewordingCheck.rejections) };
  return toRewording(startedCall, await finishCall(deps, startedCall.stored, outcome));
}

async function startCall(
  deps: AppDeps,
  { input, tenant, actor, caller }: RewordCall,
): Promise<StartedCall & { readonly model: ConfiguredLanguageModel | null }> {
  const { practiceId: companyId } = tenant;
  return deps.database.db.transaction(async (tx) => {
    // Stopping the assistant also stops this. The lock on the agreement's row serialises the practice's calls.
    await assertRunning(tx, companyId);
    const model = await findAgreement(deps, tx, companyId, 'update');
    if (!model) {
      const message = 'Your practice hasn’t agreed to texts being sent to a language model. Ask an admin.';
      throw new AppError('conflict', 'language_model.not_agreed', message);
    }
    const proposal = await lockProposal(tx, companyId, actor, input.proposal_id);
    const original = getRewordableText(proposal.act);
    const names = await loadNames(tx, companyId, proposal.clientId, actor);
    const earlierCall = await findCall(tx, companyId, input.call_id);
    if (earlierCall && earlierCall.askedBy === actor.userId && earlierCall.proposalId === proposal.id && original !== null) {
      return { model: null, original, names, masked: maskFacts(original, names.hidden), stored: earlierCall };
    }
    if (earlierCall) throw new AppError('conflict', 'language_model.call_exists', 'Close the draft and try again.');
    if (proposal.state !== 'open' || proposal.version !== input.version) {
      throw new AppError('conflict', 'agent.changed_since', 'This draft has changed since you opened it. Close and reopen it.');
    }
    assertRewordable(original);
    await assertWithinLimit(deps, tx, companyId);
    const maskedText = maskFacts(original, names.hidden);
    const values = {
      companyId,
      id: input.call_id,
      proposalId: proposal.id,
      proposalVersion: proposal.version,
      clientId: proposal.clientId,
      askedBy: actor.userId,
      askedAt: deps.wallClock.now(),
      host: model.host,
      model: model.model,
      sentText: maskedText.text,
      instructionVersion: AGREEMENT_VERSION,
    };
    const [storedCall] = await tx.insert(languageModelCalls).values(values).returning();
    if (!storedCall) throw new Error('the call was not stored');
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      ip: caller.ip,
      action: 'language_model.sent',
      subject: input.call_id,
      after: {
        proposal: proposal.id,
        host: model.host,
        model: model.model,
        characters: maskedText.text.length,
        client_ids: [proposal.clientId],
      },
    });
    return { model, original, names, masked: maskedText, stored: storedCall };
  });
}

function assertRewordable(text: string | null): asserts text is string {
  if (text === null) throw new AppError('invalid', 'language_model.no_text', 'This draft has no text to reword.');
  if (text.length <= MAX_TEXT_LENGTH) return;
  const message = `Texts of more than ${MAX_TEXT_LENGTH.toLocaleString('en-GB')} characters can’t be reworded. Edit the text instead.`;
  throw new AppError('invalid', 'language_model.too_long', message);
}

async function assertWithinLimit({ wallClock }: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const { companyId: company, askedAt } = languageModelCalls;
  const count = await tx.$count(languageModelCalls, and(eq(company, companyId), gt(askedAt, addMilliseconds(wallClock.now(), -DAY_MS))));
  if (count < MAX_REWORDINGS_PER_DAY) return;
  const message = `Your practice has sent ${MAX_REWORDINGS_PER_DAY} texts in the last 24 hours, which is the limit. Edit the text instead, or try again tomorrow.`;
  throw new AppError('tooMany', 'language_model.limit', message);
}

export async function findCall(tx: Tx, companyId: string, id: string): Promise<StoredCall | undefined> {
  const { companyId: company, id: callId } = languageModelCalls;
  const [row] = await tx
    .select()
    .from(languageModelCalls)
    .where(and(eq(company, companyId), eq(callId, id)))
    .for('update');
  return row;
}

type RewordingOutcome = Pick<StoredCall, 'state'> & Partial<Pick<StoredCall, 'receivedText' | 'model' | 'problems'>>;

async function finishCall({ database }: AppDeps, { companyId, id }: StoredCall, outcome: RewordingOutcome): Promise<StoredCall> {
  return database.db.transaction(async (tx) => {
    const isRow = and(eq(languageModelCalls.companyId, companyId), eq(languageModelCalls.id, id));
    const [storedCall] = await tx.update(languageModelCalls).set(outcome).where(isRow).returning();
    if (!storedCall) throw new AppError('conflict', 'language_model.gone', 'This rewording no longer exists. Try again.');
    return storedCall;
  });
}

/** PostgreSQL accepts neither NUL nor lone surrogates. */
const toStorable = (text: string): string => text.slice(0, MAX_STORED).replaceAll('\0', '\uFFFD').toWellFormed();

/** The offer is computed from the stored reply, so that a repeated request and a choice see the same text. */
function toRewording({ original, masked, names }: StartedCall, storedCall: StoredCall): Rewording {
  const isOffer = storedCall.state === 'offered' && storedCall.receivedText !== null && storedCall.sentText === masked.text;
  const rewordingCheck = isOffer ? checkRewording(original, masked, storedCall.receivedText ?? '', names.hidden) : null;
  const isOffered = rewordingCheck !== null && 'text' in rewordingCheck;
  return {
    call_id: storedCall.id,
    state: storedCall.state,
    original: fillText(original, names.fields),
    reworded: isOffered ? fillText(rewordingCheck.text, names.fields) : null,
    problems: describeProblems(storedCall.problems),
    model: storedCall.model,
  };
}

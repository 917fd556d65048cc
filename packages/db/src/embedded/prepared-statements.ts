/**
 * Runs statements on the embedded engine, parsing and planning each only once. `PGlite.query` plans every statement again and sends it to
 * the engine in six messages, which takes longer than running most of them.
 */
import { parse, protocol, type PGlite, type Results } from '@electric-sql/pglite';

type Parsers = PGlite['parsers'];
type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;
type PreparedStatement = {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  /** Describes how to read the rows of each run. */
  readonly description: Messages;
};

export type RunPreparedStatement = (
  text: string,
  values: readonly unknown[],
  options: { readonly rowMode: 'array' | 'object'; readonly parsers: Parsers },
) => Promise<Results<unknown>>;

const { serialize } = protocol;

/** Keeps every statement that it has run, so it suits processes with few different statements, such as tests. */
export function createPreparedRun(engine: PGlite): RunPreparedStatement {
  const statementsByText = new Map<string, PreparedStatement>();
  const prepare = async (text: string): Promise<PreparedStatement> => {
    const name = `s${statementsByText.size}`;
    const describeReply = await engine.execProtocolStream(
      Buffer.concat([serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()]),
    );
    const preparedStatement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(describeReply),
      description: describeReply.filter((message) => message.name === 'rowDescription'),
    };
    statementsByText.set(text, preparedStatement);
    return preparedStatement;
  };
  const run: RunPreparedStatement = async (text, values, { rowMode, parsers }) => {
    const { name: statement, parameterTypes, description } = statementsByText.get(text) ?? (await prepare(text));
    const parameterTexts = values.map((value, index) => {
      if (value === null || value === undefined) return null;
      return toText(value, engine.serializers[parameterTypes[index] ?? 0]);
    });
    const messages = await engine.execProtocolStream(
      Buffer.concat([serialize.bind({ statement, values: parameterTexts }), serialize.execute(), serialize.sync()]),
    );
    const [result] = parse.parseResults([...description, ...messages], parsers, { rowMode });
    return result ?? { rows: [], fields: [], affectedRows: 0 };
  };
  // Statements of a transaction may be sent together, and the engine would mix up the messages of their results.
  return (...statement) => engine.runExclusive(() => run(...statement));
}

/** Converts a parameter as `PGlite.query` does. */
function toText(value: unknown, serializer: PGlite['serializers'][number] | undefined): string {
  return serializer ? serializer(value) : String(value);
}

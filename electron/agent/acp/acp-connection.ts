/** One running external agent with one session: handshake, the gated mode, and whom its requests and updates go to. */

import {
  type ClientConnection,
  client,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type ReadTextFileRequest,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import { AppError } from '../../../shared/errors.ts';
import type { AgentProcess } from './agent-process.ts';
import type { Quirks } from './quirks.ts';
import { withTimeLimit } from './with-time-limit.ts';

const HANDSHAKE_LIMIT_MS = 60_000;
/** JSON-RPC: the agent wants its user to log in first. */
const AUTHENTICATION_REQUIRED = -32000;

/** The turn that runs; without one an agent's requests are refused. */
export interface TurnListener {
  updated(update: SessionUpdate): void;
  askedPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
  askedToWrite(request: WriteTextFileRequest): Promise<void>;
  askedToRead(request: ReadTextFileRequest): Promise<string>;
}

export class AcpConnection {
  readonly sessionId: string;
  /** The agent's mode that asks before it acts; null when it has no modes. */
  readonly mode: string | null;
  readonly #process: AgentProcess;
  readonly #connection: ClientConnection;
  readonly #listener: { current: TurnListener | null };

  private constructor(
    process: AgentProcess,
    connection: ClientConnection,
    listener: { current: TurnListener | null },
    sessionId: string,
    mode: string | null,
  ) {
    this.#process = process;
    this.#connection = connection;
    this.#listener = listener;
    this.sessionId = sessionId;
    this.mode = mode;
  }

  /** Throws AppError `agent-unavailable` or `not-authenticated`; the process is ended then. */
  static async open(
    process: AgentProcess,
    quirks: Quirks,
    root: string,
    name: string,
  ): Promise<AcpConnection> {
    const listener: { current: TurnListener | null } = { current: null };
    const connection = connect(process, listener);
    try {
      const hung = `${name} did not get ready within ${HANDSHAKE_LIMIT_MS / 1000} seconds. Start it once in a terminal and see whether it asks you to log in.`;
      const ready = async (): Promise<AcpConnection> => {
        const session = await handshake(connection, quirks, root);
        const mode = await closeGates(connection, session, quirks);
        return new AcpConnection(process, connection, listener, session.sessionId, mode);
      };
      return await withTimeLimit(
        Promise.race([ready(), endedEarly(process, name)]),
        HANDSHAKE_LIMIT_MS,
        hung,
      );
    } catch (error) {
      // Asked before we close it ourselves: a lost connection says less than the last words of the process.
      const isLost = connection.signal.aborted && !(error instanceof AppError);
      connection.close();
      await process.kill();
      throw isLost
        ? await endedEarly(process, name).catch((ended: unknown) => ended)
        : toAppError(error, name);
    }
  }

  get isOpen(): boolean {
    return !this.#connection.signal.aborted;
  }

  listen(listener: TurnListener | null): void {
    this.#listener.current = listener;
  }

  async prompt(text: string): Promise<string> {
    const answer = await this.#connection.agent.request('session/prompt', {
      sessionId: this.sessionId,
      prompt: [{ type: 'text', text }],
    });
    return answer.stopReason;
  }

  async cancel(): Promise<void> {
    await this.#connection.agent.notify('session/cancel', { sessionId: this.sessionId });
  }

  /** What the process last said. It is ended first: one that only closed its side of the connection would be waited for in vain. */
  async lastWords(): Promise<string> {
    await this.#process.kill();
    return this.#process.exited;
  }

  async close(): Promise<void> {
    this.listen(null);
    this.#connection.close();
    await this.#process.kill();
  }
}

async function endedEarly(process: AgentProcess, name: string): Promise<never> {
  const lastWords = await process.exited;
  throw new AppError(
    'agent-unavailable',
    `${name} ended before it was ready.${lastWords === '' ? '' : ` It said: ${lastWords}`}`,
  );
}

function connect(
  process: AgentProcess,
  listener: { readonly current: TurnListener | null },
): ClientConnection {
  const running = (): TurnListener => {
    if (listener.current === null) throw RequestError.invalidRequest(undefined, 'No turn is running.');
    return listener.current;
  };
  const app = client({ name: 'osfoundry-rewind' })
    .onNotification('session/update', ({ params }) => listener.current?.updated(params.update))
    .onRequest('session/request_permission', ({ params }) =>
      // A question after the end of a turn gets the answer that changes nothing.
      listener.current === null
        ? { outcome: { outcome: 'cancelled' } }
        : listener.current.askedPermission(params),
    )
    .onRequest('fs/write_text_file', async ({ params }) => {
      await running().askedToWrite(params);
      return {};
    })
    .onRequest('fs/read_text_file', async ({ params }) => ({ content: await running().askedToRead(params) }));
  // The overloads of connect take one of the two each.
  return 'writable' in process.connection ? app.connect(process.connection) : app.connect(process.connection);
}

async function handshake(
  connection: ClientConnection,
  quirks: Quirks,
  root: string,
): Promise<NewSessionResponse> {
  const { protocolVersion } = await connection.agent.request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: quirks.capabilities,
    clientInfo: { name: 'osfoundry-rewind', version: '0.1.0' },
  });
  if (protocolVersion !== PROTOCOL_VERSION) {
    throw new AppError(
      'agent-unavailable',
      `The agent speaks version ${protocolVersion} of the protocol; this app speaks ${PROTOCOL_VERSION}.`,
    );
  }
  return connection.agent.request('session/new', {
    cwd: root,
    mcpServers: [],
    ...(quirks.sessionMeta === null ? {} : { _meta: { ...quirks.sessionMeta } }),
  });
}

/** Some agents start in a mode that asks nobody. */
async function closeGates(
  connection: ClientConnection,
  session: NewSessionResponse,
  quirks: Quirks,
): Promise<string | null> {
  const { modes } = session;
  if (modes == null) return null;
  const offered = new Set(modes.availableModes.map(({ id }) => id));
  const gated = quirks.gatedModes.find((mode) => offered.has(mode));
  if (gated === undefined) return modes.currentModeId;
  if (gated !== modes.currentModeId) {
    await connection.agent.request('session/set_mode', { sessionId: session.sessionId, modeId: gated });
  }
  return gated;
}

export function toAppError(error: unknown, name: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof RequestError && error.code === AUTHENTICATION_REQUIRED) {
    return new AppError(
      'not-authenticated',
      `${name} is not logged in. Log in with its own program in a terminal, then send again. It said: ${error.message}`,
      {
        cause: error,
      },
    );
  }
  return new AppError(
    'agent-failed',
    `${name} failed: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
}

/** A local server that answers in the four model dialects with what a test scripts; every request is kept for the test to look at. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dialect, dialectOf, streamOf, wholeOf } from './stub-dialects.ts';

export interface StubCall {
  readonly name: string;
  /** Given as text where a test wants arguments that are not JSON. */
  readonly input: unknown;
}

export interface StubAnswer {
  readonly text?: string;
  readonly calls?: readonly StubCall[];
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Cuts the connection after the text, before the end of the stream. */
  readonly drop?: boolean;
  /** Sends the text and then nothing until the client goes away. */
  readonly hang?: boolean;
}

export interface StubRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export class StubModelServer {
  readonly requests: StubRequest[] = [];
  /** Replaced where the requests of a program are not known in number and order; otherwise what was scripted, one after another. */
  respond: (request: StubRequest) => StubAnswer = () =>
    this.#answers.shift() ?? { text: 'Nothing more is scripted.' };
  /** Resolves when a hanging answer's client has gone. */
  hangEnded: Promise<void> = Promise.resolve();
  readonly #answers: StubAnswer[] = [];
  readonly #server: Server;
  #callNumber = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  script(...answers: readonly StubAnswer[]): void {
    this.#answers.push(...answers);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  addressFor(dialect: Dialect): string {
    return `http://127.0.0.1:${this.port}/${dialect === 'google' ? 'v1beta' : 'v1'}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = request.url ?? '';
    if (request.method === 'GET') {
      this.#list(url, response);
      return;
    }
    const asked = { url, headers: request.headers, body: JSON.parse(text) as Record<string, unknown> };
    this.requests.push(asked);
    const answer = this.respond(asked);
    if (answer.status !== undefined) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(
        JSON.stringify({
          error: {
            message: `stub ${answer.status}`,
            type: 'stub_error',
            code: answer.status,
            status: 'STUB',
          },
          type: 'error',
        }),
      );
      return;
    }
    const dialect = dialectOf(url);
    const calls = (answer.calls ?? []).map((call) => {
      this.#callNumber += 1;
      const json = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
      return { ...call, id: `call_${this.#callNumber}`, json };
    });
    if (asked.body.stream !== true && !url.includes('stream')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wholeOf(dialect, answer.text ?? '')));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = streamOf(dialect, answer.text ?? '', calls);
    const cut = answer.drop === true || answer.hang === true;
    for (const event of cut ? events.beginning : [...events.beginning, ...events.end]) response.write(event);
    if (answer.drop === true) {
      // Only once the text has reached the client: a reset may overtake what is still in the buffer.
      setTimeout(() => response.destroy(), 50);
    } else if (answer.hang === true) {
      this.hangEnded = new Promise((resolve) => response.on('close', () => resolve()));
    } else {
      response.end();
    }
  }

  #list(url: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    const models = url.startsWith('/v1beta')
      ? {
          models: [
            {
              name: 'models/stub-model',
              inputTokenLimit: 32000,
              supportedGenerationMethods: ['generateContent'],
            },
          ],
        }
      : { data: [{ id: 'stub-model', context_length: 32000 }, { id: 'another-model' }] };
    response.end(JSON.stringify(models));
  }
}

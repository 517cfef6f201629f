/** A local server that answers in the four model dialects with what a test scripts; every request is kept for the test to look at. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Dialect = 'openai-compatible' | 'openai' | 'anthropic' | 'google';

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
    this.requests.push({ url, headers: request.headers, body: JSON.parse(text) as Record<string, unknown> });
    const answer = this.#answers.shift() ?? { text: 'Nothing more is scripted.' };
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
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = this.#events(dialectOf(url), answer);
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

  #events(dialect: Dialect, answer: StubAnswer): { beginning: string[]; end: string[] } {
    const text = answer.text ?? '';
    const calls = (answer.calls ?? []).map((call) => {
      this.#callNumber += 1;
      return {
        ...call,
        id: `call_${this.#callNumber}`,
        json: typeof call.input === 'string' ? call.input : JSON.stringify(call.input),
      };
    });
    const pieces = text === '' ? [] : [text.slice(0, text.length / 2), text.slice(text.length / 2)];
    switch (dialect) {
      case 'openai-compatible':
        return chatCompletions(pieces, calls);
      case 'openai':
        return responses(pieces, calls);
      case 'anthropic':
        return anthropicMessages(pieces, calls);
      case 'google':
        return googleContents(pieces, calls);
    }
  }
}

type Call = StubCall & { readonly id: string; readonly json: string };
type Events = { beginning: string[]; end: string[] };

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (event: string, value: Record<string, unknown>): string =>
  `event: ${event}\n${data({ type: event, ...value })}`;

function dialectOf(url: string): Dialect {
  if (url.startsWith('/v1beta/')) return 'google';
  if (url.startsWith('/v1/messages')) return 'anthropic';
  if (url.startsWith('/v1/responses')) return 'openai';
  return 'openai-compatible';
}

function chatCompletions(pieces: string[], calls: Call[]): Events {
  const chunk = (delta: unknown, finish: string | null = null): string =>
    data({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'stub-model',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    beginning: pieces.map((content) => chunk({ role: 'assistant', content })),
    end: [
      // Parallel calls, each in two pieces, as servers send them.
      ...calls.map(({ id, name }, index) =>
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ),
      ...calls.map(({ json }, index) => chunk({ tool_calls: [{ index, function: { arguments: json } }] })),
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      data({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'stub-model',
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      }),
      'data: [DONE]\n\n',
    ],
  };
}

function responses(pieces: string[], calls: Call[]): Events {
  const response = { id: 'r', object: 'response', created_at: 1, model: 'stub-model' };
  const message = { id: 'm', type: 'message', role: 'assistant', content: [] };
  const text = pieces.join('');
  return {
    beginning: [
      named('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      ...(pieces.length === 0
        ? []
        : [named('response.output_item.added', { output_index: 0, item: message })]),
      ...pieces.map((delta) =>
        named('response.output_text.delta', { item_id: 'm', output_index: 0, content_index: 0, delta }),
      ),
    ],
    end: [
      ...(pieces.length === 0
        ? []
        : [
            named('response.output_item.done', {
              output_index: 0,
              item: { ...message, content: [{ type: 'output_text', text, annotations: [] }] },
            }),
          ]),
      ...calls.flatMap(({ id, name, json }, index) => {
        const item = {
          id: `fc_${id}`,
          type: 'function_call',
          call_id: id,
          name,
          arguments: '',
          status: 'in_progress',
        };
        return [
          named('response.output_item.added', { output_index: index + 1, item }),
          named('response.function_call_arguments.delta', {
            item_id: item.id,
            output_index: index + 1,
            delta: json,
          }),
          named('response.output_item.done', {
            output_index: index + 1,
            item: { ...item, arguments: json, status: 'completed' },
          }),
        ];
      }),
      named('response.completed', {
        response: {
          ...response,
          status: 'completed',
          output: [],
          usage: {
            input_tokens: 100,
            output_tokens: 20,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens_details: { reasoning_tokens: 0 },
          },
        },
      }),
    ],
  };
}

function anthropicMessages(pieces: string[], calls: Call[]): Events {
  const usage = { input_tokens: 100, output_tokens: 1 };
  return {
    beginning: [
      named('message_start', {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'stub-model',
          content: [],
          stop_reason: null,
          usage,
        },
      }),
      ...(pieces.length === 0
        ? []
        : [named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })]),
      ...pieces.map((text) =>
        named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
    ],
    end: [
      ...(pieces.length === 0 ? [] : [named('content_block_stop', { index: 0 })]),
      ...calls.flatMap(({ id, name, json }, at) => {
        const index = at + 1;
        return [
          named('content_block_start', {
            index,
            content_block: { type: 'tool_use', id: `toolu_${id}`, name, input: {} },
          }),
          named('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: json } }),
          named('content_block_stop', { index }),
        ];
      }),
      named('message_delta', {
        delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 20 },
      }),
      named('message_stop', {}),
    ],
  };
}

function googleContents(pieces: string[], calls: Call[]): Events {
  const part = (parts: unknown[], finishReason?: string): string =>
    data({
      candidates: [
        {
          content: { role: 'model', parts },
          index: 0,
          ...(finishReason === undefined ? {} : { finishReason }),
        },
      ],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    });
  return {
    beginning: pieces.map((text) => part([{ text }])),
    end: [
      part(
        calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
        'STOP',
      ),
    ],
  };
}

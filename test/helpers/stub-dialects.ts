/** The streams of the four model dialects, as servers send them, made from what a test scripts. */

export type Dialect = 'openai-compatible' | 'openai' | 'anthropic' | 'google';

/** A call with its id and its arguments as JSON. */
export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly json: string;
}

/** A stream in two parts, so that a test can cut it between them. */
export interface Stream {
  readonly beginning: string[];
  readonly end: string[];
}

export function streamOf(dialect: Dialect, text: string, calls: readonly StreamedCall[]): Stream {
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

/** The answer to a request that wants no stream; only text, which is all that such requests are made for. */
export function wholeOf(dialect: Dialect, text: string): unknown {
  if (dialect === 'google') {
    return {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
      totalTokens: 100,
    };
  }
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'stub-model',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}

export function dialectOf(url: string): Dialect {
  if (url.startsWith('/v1beta/')) return 'google';
  if (url.startsWith('/v1/messages')) return 'anthropic';
  if (url.startsWith('/v1/responses')) return 'openai';
  return 'openai-compatible';
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (event: string, value: Record<string, unknown>): string =>
  `event: ${event}\n${data({ type: event, ...value })}`;

function chatCompletions(pieces: string[], calls: readonly StreamedCall[]): Stream {
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

function responses(pieces: string[], calls: readonly StreamedCall[]): Stream {
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

function anthropicMessages(pieces: string[], calls: readonly StreamedCall[]): Stream {
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

function googleContents(pieces: string[], calls: readonly StreamedCall[]): Stream {
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

/** The model client over the AI SDK: the one place that knows its messages, its stream parts and its errors. */

import {
  APICallError,
  type AssistantModelMessage,
  type JSONSchema7,
  jsonSchema,
  type LanguageModel,
  NoSuchToolError,
  type ModelMessage as SdkMessage,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import { z } from 'zod';
import { type ToolName, toolDescriptions, toolInputs } from '../tools/schemas.ts';
import {
  type ModelClient,
  ModelError,
  type ModelMessage,
  type ModelRequest,
  type ModelStep,
  type ModelToolCall,
} from './model-client.ts';

/** Without it Anthropic's unknown model ids get 4,096, which cuts ordinary files; every current model allows this much. */
const MAX_OUTPUT_TOKENS_ANTHROPIC = 8192;

/**
 * No `execute`: the calls come out of the stream, and our loop runs them one after another. The schema is given as JSON, so that
 * the arguments are checked once, by the tools themselves, in words that help the model.
 */
const TOOLS: ToolSet = Object.fromEntries(
  Object.entries(toolInputs).map(([name, schema]) => [
    name,
    tool({
      description: toolDescriptions[name as ToolName],
      inputSchema: jsonSchema(z.toJSONSchema(schema, { target: 'draft-7' }) as JSONSchema7),
    }),
  ]),
);

export function createAiSdkClient(model: Exclude<LanguageModel, string>): ModelClient {
  return { step: (request) => oneStep(model, request) };
}

async function oneStep(model: Exclude<LanguageModel, string>, request: ModelRequest): Promise<ModelStep> {
  const result = streamText({
    model,
    system: request.system,
    messages: request.messages.flatMap(toSdkMessages),
    ...(request.withTools ? { tools: TOOLS } : {}),
    ...(model.provider.startsWith('anthropic') ? { maxOutputTokens: MAX_OUTPUT_TOKENS_ANTHROPIC } : {}),
    abortSignal: request.signal,
    // Retries are ours: the person is told of them, and Stop ends the wait.
    maxRetries: 0,
    onError: () => undefined,
  });
  let text = '';
  const toolCalls: ModelToolCall[] = [];
  let reason: ModelStep['reason'] = 'other';
  let usage: ModelStep['usage'] = null;
  let isFinished = false;
  try {
    for await (const part of result.fullStream) {
      request.signal.throwIfAborted();
      switch (part.type) {
        case 'text-delta':
          text += part.text;
          request.onText(part.text);
          break;
        case 'tool-call':
          toolCalls.push({
            callId: part.toolCallId,
            name: part.toolName,
            input: part.input,
            ...(part.invalid === true ? { problem: problemOf(part.error) } : {}),
          });
          break;
        case 'finish-step':
          isFinished = true;
          reason = reasonOf(part.finishReason);
          usage = { inputTokens: part.usage.inputTokens ?? 0, outputTokens: part.usage.outputTokens ?? 0 };
          break;
        case 'error':
          throw part.error;
        default:
          break;
      }
    }
    request.signal.throwIfAborted();
    // A connection that ends early may look like an end of the stream.
    if (!isFinished || (reason === 'other' && text === '' && toolCalls.length === 0)) {
      throw new ModelError('retryable', 'The answer ended before it was finished.');
    }
    // A call that could not be read would be refused by the provider when handed back as it came.
    const isReadable = toolCalls.every(({ problem }) => problem === undefined);
    const original = isReadable
      ? (await result.response).messages.filter(({ role }) => role === 'assistant')
      : undefined;
    return { text, toolCalls, reason, usage, original };
  } catch (error) {
    request.signal.throwIfAborted();
    throw toModelError(error);
  }
}

function toSdkMessages(message: ModelMessage): SdkMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'assistant':
      return isOriginal(message.original) ? [...message.original] : [rebuilt(message)];
    case 'tool':
      return [
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: message.callId,
              toolName: message.name,
              output: { type: message.ok ? 'text' : 'error-text', value: message.output },
            },
          ],
        },
      ];
  }
}

function rebuilt(message: Extract<ModelMessage, { role: 'assistant' }>): AssistantModelMessage {
  return {
    role: 'assistant',
    content: [
      ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
      ...message.toolCalls.map(({ callId, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: callId,
        toolName: name,
        // Providers take an object only; a call that could not be read has none.
        input: typeof input === 'object' && input !== null ? input : {},
      })),
    ],
  };
}

const isOriginal = (original: unknown): original is SdkMessage[] =>
  Array.isArray(original) && original.length > 0;

function reasonOf(reason: string): ModelStep['reason'] {
  switch (reason) {
    case 'stop':
    case 'tool-calls':
    case 'length':
      return reason;
    case 'content-filter':
      return 'filtered';
    default:
      return 'other';
  }
}

function problemOf(error: unknown): string {
  if (NoSuchToolError.isInstance(error)) return `There is no tool ${error.toolName}.`;
  return `The arguments could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

const CONTEXT_TOO_LONG =
  /context (length|window|size)|maximum context|prompt is too long|too many tokens|exceeds? the (model|maximum|limit).*token/i;

function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (!APICallError.isInstance(error)) {
    // What is left is the connection: refused, reset, or dropped in the middle of the stream.
    return new ModelError('retryable', `The connection to the model failed: ${wordsOf(error)}`, {
      cause: error,
    });
  }
  const status = error.statusCode;
  const said = [error.message, error.responseBody ?? ''].join(' ');
  if (status === 401 || status === 403) {
    return new ModelError('authentication', `The provider refused the key (${status}): ${error.message}`, {
      cause: error,
    });
  }
  if (status === 413 || (status === 400 && CONTEXT_TOO_LONG.test(said)))
    return new ModelError('context-too-long', error.message, { cause: error });
  if (status === undefined || error.isRetryable || status === 429 || status >= 500) {
    const what = status === undefined ? error.message : `The provider answered ${status}: ${error.message}`;
    return new ModelError('retryable', what, {
      cause: error,
      retryAfterMs: retryAfterOf(error.responseHeaders),
    });
  }
  return new ModelError('refused', `The provider answered ${status}: ${error.message}`, { cause: error });
}

/** Both forms of `retry-after` (seconds or a date), and the milliseconds that some providers send. */
function retryAfterOf(headers: Record<string, string> | undefined): number | null {
  const inMs = Number(headers?.['retry-after-ms']);
  if (Number.isFinite(inMs) && inMs > 0) return inMs;
  const value = headers?.['retry-after'];
  if (value === undefined) return null;
  const seconds = Number(value);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : null;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

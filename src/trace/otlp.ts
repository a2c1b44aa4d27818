/** A value of an attribute in OTLP/JSON; whole numbers are text there. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

/** A span in OTLP/JSON: ids in hexadecimal, times as text in nanoseconds. https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 3 client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  /** 1 ok, 2 error. */
  readonly status: { readonly code: 0 | 1 | 2; readonly message?: string };
}

export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

export type AttributeValue = string | number | boolean | readonly string[];

/** Attributes of an object; those without a value are left out. */
export function attributes(values: Readonly<Record<string, AttributeValue | undefined>>): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: encode(value) }]));
}

function encode(value: AttributeValue): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

/** Milliseconds since the epoch as nanoseconds in text; a number would lose the last digits. */
export function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

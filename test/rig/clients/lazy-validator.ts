/**
 * The check that an SDK makes of results, compiled when it is first needed, and once for all clients: a client knows many more
 * tools than a test calls.
 */
import { AjvJsonSchemaValidator as NewAjv } from '@modelcontextprotocol/client/validators/ajv'
import { AjvJsonSchemaValidator as OldAjv } from '@modelcontextprotocol/sdk/validation/ajv'
import type { JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'

interface Validator<Schema> {
  getValidator<T>(schema: Schema): JsonSchemaValidator<T>
}

function lazily<Schema>(engine: Validator<Schema>): Validator<Schema> {
  const compiled = new Map<string, JsonSchemaValidator<unknown>>()
  return {
    getValidator<T>(schema: Schema): JsonSchemaValidator<T> {
      return (input) => {
        const key = JSON.stringify(schema)
        const check = compiled.get(key) ?? engine.getValidator<unknown>(schema)
        compiled.set(key, check)
        const { valid, data, errorMessage } = check(input)
        return valid
          ? { valid, data: data as T, errorMessage: undefined }
          : { valid: false, data: undefined, errorMessage }
      }
    },
  }
}

/** For the SDK of the first generation, and for the second. */
export const oldValidator = lazily(new OldAjv())
export const newValidator = lazily(new NewAjv())

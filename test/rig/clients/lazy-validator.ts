/** The check that an SDK makes of results, compiled when it is first needed: a client knows many more tools than a test calls. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation'

const ajv = new AjvJsonSchemaValidator()
const compiled = new Map<string, JsonSchemaValidator<unknown>>()

export const lazyValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (input) => {
      const key = JSON.stringify(schema)
      const check = compiled.get(key) ?? ajv.getValidator<unknown>(schema)
      compiled.set(key, check)
      const { valid, data, errorMessage } = check(input)
      return valid
        ? { valid, data: data as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage }
    }
  },
}

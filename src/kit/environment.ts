// Values of environment variables, checked: each refusal names the variable and what it may be.

export class ConfigError extends Error {}

export type Environment = Record<string, string | undefined>

export type Reader = ReturnType<typeof reader>

export function reader(environment: Environment) {
  /** An empty variable counts as unset. */
  const text = (name: string) => environment[name]?.trim() || undefined
  return {
    text,
    whole(name: string, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === undefined) return fallback
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`)
    },
    oneOf<T extends string>(name: string, allowed: T[], fallback: T): T {
      const value = text(name)
      if (value === undefined) return fallback
      const match = allowed.find((one) => one === value)
      if (match) return match
      throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`)
    },
    switch(name: string): boolean {
      const value = text(name)?.toLowerCase()
      if (value === undefined || ['0', 'false', 'off', 'no'].includes(value)) return false
      if (['1', 'true', 'on', 'yes'].includes(value)) return true
      throw new ConfigError(`${name} must be on or off, not ${JSON.stringify(value)}`)
    },
    cidrs(name: string): string[] {
      const parts = (text(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
      const wrong = parts.find((part) => !/^([0-9.]{7,15}|[0-9a-fA-F:]{2,39})(\/\d{1,3})?$/.test(part))
      if (wrong)
        throw new ConfigError(
          `${name} must be addresses or CIDR blocks separated by commas, not ${JSON.stringify(wrong)}`,
        )
      return parts
    },
  }
}

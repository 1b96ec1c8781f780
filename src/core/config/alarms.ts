// Where alarms go when mail itself may be what fails.

import { type AlarmAddress, parseAlarmAddress } from '../../kit/alarm-address.ts'
import { ConfigError, type Reader } from '../../kit/environment.ts'

export const alarmSettings = ['ALARM_TO', 'ALARM_SECRET']

export interface AlarmConfig {
  to: AlarmAddress[]
  /** Signs those that are webhooks. */
  secret: string | undefined
}

/** An address may contain a secret, so the message does not repeat it. */
export function readAlarms({ text }: Reader): AlarmConfig {
  const [addresses, secret] = alarmSettings.map(text)
  const texts = (addresses ?? '').split(',').map((one) => one.trim())
  const to = texts.filter(Boolean).map((one, index) => {
    const address = parseAlarmAddress(one)
    if (address) return address
    throw new ConfigError(
      `ALARM_TO must be addresses like https://…, ntfy+https://ntfy.sh/topic or slack+https://…, separated by commas; number ${index + 1} is not one`,
    )
  })
  if (secret !== undefined && !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret))
    throw new ConfigError('ALARM_SECRET must be whsec_ and 24 to 64 bytes in base64: whsec_$(openssl rand -base64 32)')
  if (secret === undefined && to.some(({ kind }) => kind === 'webhook'))
    throw new ConfigError('ALARM_SECRET must be set too, for it signs the webhook: whsec_$(openssl rand -base64 32)')
  return { to, secret }
}

// Turns the error of a port that cannot be listened on into one line for whoever started the server.

import { AppError } from './error.ts'

export interface ListenAddress {
  host: string
  port: number
  /** The setting that names the port. */
  setting: string
}

/** Other errors are returned unchanged. */
export function listenFailure(error: unknown, { host, port, setting }: ListenAddress): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    const taken = `port ${port} of ${host} is taken by another program`
    return new AppError('conflict', `${taken}; stop that one, or set ${setting} to a free port`)
  }
  if (code === 'EACCES') {
    return new AppError('conflict', `port ${port} needs more rights than this user has; set ${setting} above 1023`)
  }
  if (code === 'EADDRNOTAVAIL' || error.message.startsWith('Failed to listen')) {
    return new AppError('conflict', `cannot listen on port ${port}: HOST ${host} is not an address of this machine`)
  }
  return error
}

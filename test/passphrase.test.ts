// A passphrase seals as age does: what we seal age-encryption opens, and the other way round.

import { describe, expect, test } from 'bun:test'
import { Decrypter, Encrypter } from 'age-encryption'
import { passphraseIdentity, passphraseRecipient } from '../src/operator/backup/passphrase.ts'

const passphrase = 'Käse, korrektes Pferd, 電池'
const content = 'what is kept'

/** By age-encryption, with little work. */
async function sealedByOther(): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(10)
  encrypter.setPassphrase(passphrase)
  return await encrypter.encrypt(content)
}

async function open(bytes: Uint8Array, given = passphrase): Promise<string> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(passphraseIdentity(given))
  return await decrypter.decrypt(bytes, 'text')
}

function changed(bytes: Uint8Array, from: string | RegExp, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1')
}

describe('a passphrase', () => {
  test('seals what others open by it', async () => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(passphraseRecipient(passphrase))
    const sealed = await encrypter.encrypt(content)
    expect(Buffer.from(sealed).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} 18\n/)
    const decrypter = new Decrypter()
    decrypter.addPassphrase(passphrase)
    expect(await decrypter.decrypt(sealed, 'text')).toBe(content)
    expect(await open(sealed)).toBe(content)
  })

  test('opens what others sealed by it, and another one does not', async () => {
    const sealed = await sealedByOther()
    expect(await open(sealed)).toBe(content)
    await expect(open(sealed, 'another')).rejects.toThrow('no identity matched')
  })

  test.each([
    ['more work than age takes', / 10\n/, ' 21\n', 'too much work'],
    ['work that is no number', / 10\n/, ' 010\n', 'not valid'],
    ['one word more', / 10\n/, ' 10 10\n', 'not valid'],
    ['salt that is too short', /scrypt \S+/, 'scrypt AAAA', 'not valid'],
    ['another key beside it', /\n-> /, '\n-> other\nAAAA\n-> ', 'not the only key'],
    ['a key that is too long', / 10\n/, ' 10\nAAAA', 'not valid'],
  ])('opens nothing that says %s', async (_, from, to, refusal) => {
    await expect(open(changed(await sealedByOther(), from, to))).rejects.toThrow(refusal)
  })
})

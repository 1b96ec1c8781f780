// The typefaces of mails: those that are on most machines already, for what a mail would load is blocked by most readers.

export const mailFonts = {
  system: "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  arial: "Arial,'Helvetica Neue',Helvetica,sans-serif",
  verdana: 'Verdana,Geneva,Tahoma,sans-serif',
  trebuchet: "'Trebuchet MS','Lucida Grande','Lucida Sans',sans-serif",
  georgia: "Georgia,Cambria,'Times New Roman',serif",
  palatino: "'Palatino Linotype',Palatino,'Book Antiqua',Georgia,serif",
  courier: "'Courier New',Courier,monospace",
} as const

export type MailFont = keyof typeof mailFonts
export const mailFontNames = Object.keys(mailFonts) as MailFont[]

const utf8 = "; charset=utf-8";

/** Content types by extension, of the files that websites consist of. */
const contentTypes: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: `text/css${utf8}`,
  csv: `text/csv${utf8}`,
  eot: "application/vnd.ms-fontobject",
  gif: "image/gif",
  htm: `text/html${utf8}`,
  html: `text/html${utf8}`,
  ico: "image/x-icon",
  ics: `text/calendar${utf8}`,
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: `text/javascript${utf8}`,
  json: "application/json",
  jsonld: "application/ld+json",
  m4a: "audio/mp4",
  map: "application/json",
  md: `text/markdown${utf8}`,
  mjs: `text/javascript${utf8}`,
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  otf: "font/otf",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  txt: `text/plain${utf8}`,
  vtt: `text/vtt${utf8}`,
  wasm: "application/wasm",
  wav: "audio/wav",
  weba: "audio/webm",
  webm: "video/webm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "application/xml",
  zip: "application/zip",
};

/**
 * Returns the content type for a file's name; `application/octet-stream` for an unknown extension.
 *
 * @param own further types by extension, without dot and in lower case
 */
export function contentTypeOf(name: string, own: Readonly<Record<string, string>>): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(own, extension)) return own[extension] as string; // an own key
  return Object.hasOwn(contentTypes, extension)
    ? (contentTypes[extension] as string) // an own key
    : "application/octet-stream";
}

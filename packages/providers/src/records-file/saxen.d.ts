/** The part of saxen that the reader uses; the package ships no types. */
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', listener: (name: string, attributes: () => Record<string, string>) => void): this;
    on(event: 'closeTag', listener: (name: string) => void): this;
    on(event: 'text', listener: (text: string, decodeEntities: (text: string) => string) => void): this;
    on(event: 'cdata', listener: (text: string) => void): this;
    write(xml: string): this;
    end(): void;
  }
}

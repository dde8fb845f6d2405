/** Names of things, as alternatives of a regular expression. */

export const MAKERS =
  'Toyota|Honda|Ford|Volvo|BMW|Audi|Mercedes|Tesla|Subaru|Fiat|Renault|Peugeot|Citro[eë]n|Skoda|Škoda|Volkswagen|VW|Mazda|Nissan|Hyundai|Kia|Jeep|Porsche|Ferrari|Vespa|Yamaha|Harley|Kawasaki|Ducati|Suzuki|Mini|Seat|Opel|Vauxhall|Land Rover|Jaguar|Lexus|Prius|Dacia|Polestar|Chevy|Chevrolet|Civic|Corolla|Golf';

export const INSTRUMENTS =
  'piano|guitar|bass|drums|violin|viola|cello|double bass|flute|clarinet|saxophone|sax|trumpet|trombone|tuba|harp|organ|accordion|banjo|mandolin|ukulele|harmonica|oboe|bassoon|recorder|bagpipes|keyboard|keyboards|fiddle|percussion|sitar|french horn|euphonium|lute|tabla';

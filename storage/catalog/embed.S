    .section .rodata
    .global residue_embedded_schema_begin
    .global residue_embedded_schema_end
residue_embedded_schema_begin:
    .incbin "schema.sql"
residue_embedded_schema_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
